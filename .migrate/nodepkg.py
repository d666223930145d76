import sys, glob
sys.path.insert(0, '/tmp/p32-migrate')
from names import *
for path in sys.argv[2:]:
    s = open(path).read()
    package = '' if sys.argv[1] == 'own' else 'node.'
    t = imports(rename(s, package))
    if t != s:
        open(path, 'w').write(t)
