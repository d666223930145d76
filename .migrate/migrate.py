"""Migrates the Go files outside of internal/yaml from yaml.v3's node to internal/yaml/node. Run in the root of the tree."""
import os, re, subprocess, sys
sys.path.insert(0, os.path.dirname(__file__))
from names import *

READ = '"pillion.dev/pillion/internal/yaml/read"'
LEFT = {  # files that use the library's own nodes on purpose
    'fn/kiofilter/kiofilter.go', 'internal/kustomization/aliases.go', 'internal/files/manifests.go', 'internal/export/document.go',
}

def migrate(source):
    if LIBRARY not in source and NODE not in source and 'internal/yaml/parse"' not in source:
        return source
    if LIBRARY in source and not re.search(r'^\t\w+ ' + re.escape(LIBRARY), source, flags=re.M):
        source = rename(source)
    source = re.sub(r'\bnode\.PositionOf\((\w+(?:\.\w+)*)\)', r'\1.Start', source)
    source = source.replace('map[node.Position]', 'map[int32]')
    source = re.sub(r'(\w+)\.Anchor != ""', r'\1.HasAnchor()', source)
    if 'internal/yaml/parse"' in source:
        source = source.replace('yamlparse "pillion.dev/pillion/internal/yaml/parse"', READ)
        source = source.replace('"pillion.dev/pillion/internal/yaml/parse"', READ)
        source = re.sub(r'\b(?:yaml)?parse\.(Arena|Pool|Document|Commented|EndsOpen|SeveralDocumentsError)\b', r'read.\1', source)
    return imports(unmarshal(source))


def unmarshal(source):
    """Reads nodes by the project's own reader where the library decoded them."""
    changed = False
    for m in reversed(list(re.finditer(r'yaml\.Unmarshal\(((?:[^\n]|`[^`]*`)*?), &(\w+)\)', source))):
        name = m.group(2)
        if re.search(r'var (?:\w+, )*%s(?:, \w+)* node\.Node|%s \*?node\.Node' % (name, name), source):
            source = source[:m.start()] + 'read.Into(' + source[m.start() + len('yaml.Unmarshal('):]
            changed = True
    if changed and READ not in source:
        source = add(source, READ)
    return source


def unambiguous(path, source):
    """Gives the reader another name in packages that have a function read of their own."""
    folder = os.path.dirname(path)
    files = [os.path.join(folder, name) for name in os.listdir(folder or '.') if name.endswith('.go')]
    has_own = any(re.search(r'^(?:func|var|const|type) read\b', open(f).read(), flags=re.M) for f in files)
    if not has_own or not re.search(r'^\t' + re.escape(READ), source, flags=re.M):
        return source
    source = re.sub(r'^\t' + re.escape(READ), '\tyamlread ' + READ, source, flags=re.M)
    return re.sub(r'(?<![\w.])read\.(Into|Document|Arena|Pool|Position|Error\w*|Commented\w*|EndsOpen|SeveralDocumentsError)\b', r'yamlread.\1', source)


def main():
    files = subprocess.run(['git', 'ls-files', '*.go'], capture_output=True, text=True).stdout.split()
    for path in files:
        if path.startswith('internal/yaml/') or path in LEFT or not os.path.exists(path):
            continue
        with open(path) as f:
            source = f.read()
        changed = unambiguous(path, migrate(source))
        if changed != source:
            with open(path, 'w') as f:
                f.write(changed)
            print(path)

main()
