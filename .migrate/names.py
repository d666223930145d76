"""Replaces the names of yaml.v3's node by those of internal/yaml/node in Go source."""
import re

TAGS = {'!!str': 'StrTag', '!!map': 'MapTag', '!!seq': 'SeqTag', '!!int': 'IntTag', '!!bool': 'BoolTag', '!!null': 'NullTag',
        '!!float': 'FloatTag', '!!timestamp': 'TimestampTag', '!!binary': 'BinaryTag', '!!merge': 'MergeTag'}
NAMES = 'Node|Kind|Style|DocumentNode|SequenceNode|MappingNode|ScalarNode|AliasNode|TaggedStyle|DoubleQuotedStyle|SingleQuotedStyle|LiteralStyle|FoldedStyle|FlowStyle'
LIBRARY = '"go.yaml.in/yaml/v3"'
NODE = '"pillion.dev/pillion/internal/yaml/node"'


def rename(source, package='node.'):
    """Renames types and constants, and tags where the context shows that they are tags."""
    source = re.sub(r'\byaml\.(%s)\b' % NAMES, lambda m: package + m.group(1), source)
    tag = lambda m: m.group(1) + package + TAGS[m.group(2)]
    literal = r'"(%s)"' % '|'.join(TAGS)
    source = re.sub(r'(\bTag: )' + literal, tag, source)
    source = re.sub(r'(\b\w*[Tt]ag(?:\(\))? ?(?:==|!=|=) ?)' + literal, tag, source)
    def cases(line):
        return re.sub(literal, lambda m: package + TAGS[m.group(1)], line.group(0))
    if 'ShortTag()' in source:
        source = re.sub(r'^\t+case (?:"[^"]*"(?:, )?)+:', cases, source, flags=re.M)
    return source


def imports(source):
    """Removes the import of the library where it is not used any more, and adds that of the nodes where it is needed."""
    body = source.split(LIBRARY, 1)[-1]
    uses_library = re.search(r'\byaml\.[A-Z]', body)
    if LIBRARY in source and not uses_library:
        source = re.sub(r'\n\t%s(?=\n)' % re.escape(LIBRARY), '', source)
        source = re.sub(r'(import \((?:\n[^)\n]*)*?\n)\n\n', r'\1\n', source)
        source = re.sub(r'import \(\n\n', 'import (\n', source)
        source = re.sub(r'(import \((?:\n[^)\n]*)*?)\n\n\)', r'\1\n)', source)
        source = re.sub(r'import \(\n?\)\n\n?', '', source)
        source = re.sub(r'import (?:yaml )?%s\n' % re.escape(LIBRARY), '', source)
    if re.search(r'\bnode\.[A-Z]', source) and NODE not in source and not re.search(r'^package node\b', source, re.M):
        source = add(source, NODE)
    return source


def add(source, path):
    """Adds an import to the group of the project's own packages."""
    block = re.search(r'^import \((.*?)^\)', source, flags=re.M | re.S)
    line = '\t' + path + '\n'
    if not block:
        single = re.search(r'^import (.*)\n', source, flags=re.M)
        if not single:
            return re.sub(r'^(package \w+\n)', lambda m: m.group(1) + '\nimport ' + path + '\n', source, count=1, flags=re.M)
        gap = '' if 'pillion.dev/pillion' in single.group(1) else '\n'
        return source[:single.start()] + 'import (\n\t' + single.group(1) + '\n' + gap + line + ')\n' + source[single.end():]
    body = block.group(1)
    own = [m for m in re.finditer(r'^\t(?:\w+ )?"pillion\.dev/pillion/.*\n', body, flags=re.M)]
    if own:
        body = body[:own[-1].end()] + line + body[own[-1].end():]
    else:
        body = body + '\n' + line
    return source[:block.start(1)] + body + source[block.end(1):]
