"""Runs the old and the new program on the same texts and prints where they differ."""
import glob, os, random, subprocess, sys, collections
root, count, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
import time
random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 5)
texts = []
for pattern in ['internal/yaml/splice/testdata/corpus/*', 'examples/**/*.yaml']:
    for path in glob.glob(os.path.join(root, pattern), recursive=True):
        texts.append(open(path, 'rb').read())
for path in glob.glob(os.path.join(root, 'internal/engine/testdata/*.txtar')):
    part = open(path, 'rb').read()
    for section in part.split(b'\n-- ')[1:]:
        head, _, body = section.partition(b' --\n')
        if head.startswith((b'items', b'want')):
            texts.append(body)
pieces = [b'a', b': ', b':', b'- ', b'\n', b' ', b'  ', b'[', b']', b'{', b'}', b', ', b'#', b' # x', b'"', b"'", b'|\n', b'>-\n', '\u00e9'.encode(), b'1', b'\t',
          b'\r\n', b'\n  ', b'? ', b'...\n', b'---\n', b'&a ', b'*a', b'!t ', b'!!str ', b'<<: ', b'\\', b'\r', b'%', b'\xe2\x80\xa8', b'{{ x }}', b'&a\n', b'<<<<<<< a\n']
def mutate(t):
    s = random.randrange(len(t) + 1); e = min(len(t), s + random.randrange(8)); p = random.choice(pieces)
    return random.choice([lambda: t[:s] + t[e:], lambda: t[:e] + t[s:], lambda: t[:s] + p + t[e:], lambda: t[:s] + p + t[s:]])()
def run(program, text):
    r = subprocess.run([program, 'inject', '-c', root + '/test/bench/injector.yaml', '--keep-going', '-o', 'yaml'][:5] , input=text, capture_output=True)
    return r.returncode, r.stdout, r.stderr
end = time.time() + seconds
kinds = collections.Counter()
shown = collections.Counter()
todo = list(texts) + [None] * count
done = 0
for t in todo:
    if time.time() > end: break
    if t is None:
        t = random.choice(texts)
        for _ in range(random.choice([1, 1, 2, 3])): t = mutate(t)
    a, b = run('/tmp/p32-old', t), run('/tmp/p32-new', t)
    done += 1
    if a == b: kinds['same'] += 1; continue
    kind = 'code' if a[0] != b[0] else 'output' if a[1] != b[1] else 'messages'
    kinds[kind] += 1
    shown[kind] += 1
    if shown[kind] <= (12 if kind != 'messages' else 25):
        print('=====', kind, a[0], b[0])
        if kind == 'messages' :
            for x, y in zip(a[2].splitlines(), b[2].splitlines()):
                if x != y: print('  old', x.decode(errors='replace')[:260]); print('  new', y.decode(errors='replace')[:260]); break
        else:
            open('/tmp/p32-diff-%s-%d.yaml' % (kind, shown[kind]), 'wb').write(t)
            print('  old', a[2].decode(errors='replace')[:300]); print('  new', b[2].decode(errors='replace')[:300])
print(done, dict(kinds))
