#!/usr/bin/env python3
"""Compares two pillion binaries on random inputs, or checks the laws of one binary. See README."""
import argparse
import collections
import copy
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gen  # noqa: E402

KEEP = '/tmp/sbs-diffs'
LOADER = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
RUNS = collections.Counter()


class Box:
    """A directory in which both binaries see the same file names."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix='sbs-')

    def put(self, name, text):
        with open(os.path.join(self.dir, name), 'w', newline='') as f:
            f.write(text)

    def run(self, binary, args, stdin=None):
        RUNS['runs'] += 1
        try:
            p = subprocess.run([binary] + args, cwd=self.dir, input=None if stdin is None else stdin.encode(), capture_output=True, timeout=60,
                               stdin=subprocess.DEVNULL if stdin is None else None)
        except subprocess.TimeoutExpired:
            return 999, '', 'error: Timeout: more than 60s'
        return p.returncode, p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace')

    def sed(self, expr, text):
        return subprocess.run(['sed', '-E', expr], input=text.encode(), capture_output=True).stdout.decode()

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


# ---- scenarios: a list of steps that both binaries run, each on the output of the one before it -----------------

INJECT = ['inject', '-c', 'c.yaml', '-f', 'm.yaml', '--keep-going', '-v']
EDITS = [r's/image: (proxy|logs|agent):1/image: \1:9/', r's/fluent-bit:3.2.4/fluent-bit:3.2.5/', r's/^( *)restartPolicy: Always$/&\n\1tty: true/',
         r's/^( *)- --x$/\1- --y/', r's/^( *)- name: (B|C|HOST|URL)$/&\n\1  # hand/', r's/value: .?(true|debug|proxy|1).?$/value: hand/', r's/containerPort: 9090/containerPort: 9091/', r's/^( *)value: x$/\1value: hand/', r's/^( *)- name: A$/\1- name: AA/',
         r's/mountPath: .?\/data.?$/mountPath: \/hand/', r'/^ *.?pillion.dev.injected-(logs|mesh).?: *[^ ,]/d', r's/^( *.?pillion.dev.injected-(otel|agent): [^{]*)[^}]$/\1Z/',
         r's/^( *)(.?pillion.dev.injected-(envoy|logs|otel))/\1pillion.dev\/inject: "false"\n\1\2/', r's/^( *)- name: (proxy|logs)$/\1- name: \2x/',
         r's/emptyDir: \{\}/emptyDir: {medium: Memory}/', r's/(cpu|memory): .?500m.?/\1: 600m/', r's/ (app|logs)-config/ shop-\1-config-abc12/',
         r's/-javaagent/-Dhand -javaagent/', r's/^( *)image: (.*)$/\1image: \2 # hand/', r's/"a": ?1/"a": 2/', r's/observed: .?true.?/observed: no-more/']


def step(args, config, feed=False, edit=None, fn=None):
    return {'args': args, 'config': config, 'feed': feed, 'edit': edit, 'fn': fn}


def remover(injs):
    out = []
    for i in injs:
        name = i['metadata']['name']
        if i['kind'] == 'ConfigMap' and name.endswith('-initializer'):
            name = name[:-len('-initializer')]
        spec = {'action': 'Remove'}
        if i.get('spec', {}).get('workloads'):
            spec['workloads'] = i['spec']['workloads']
        out.append({'apiVersion': 'pillion.dev/v1alpha1', 'kind': 'SidecarInjector', 'metadata': {'name': name}, 'spec': spec})
    return out


def scenarios(g, injs):
    """Yields (mode, steps)."""
    r = g.r
    both = gen.config_text(injs, r.random() < 0.6)
    first = step(INJECT, both, True)
    rm = ['remove'] + INJECT[1:]
    kind = r.choice(['twice', 'twice', 'steps', 'steps', 'reverse', 'update', 'update', 'update', 'update', 'list-update', 'list-update', 'remove', 'remove-name', 'remove-one', 'verify', 'explain', 'diff',
                     'drift', 'drift', 'drift', 'drift', 'drift', 'drift-remove', 'drift-remove', 'function', 'json', 'no-keep-going', 'explain-json', 'namespace', 'remove-inject', 'list-update', 'action'])
    if kind == 'twice':
        return kind, [first, first]
    if kind in ('steps', 'reverse'):
        l = list(injs)
        r.shuffle(l)
        if kind == 'steps':
            l = list(injs)
        return kind, [step(INJECT, gen.config_text([i], False), True) for i in l] + [first]
    if kind == 'update':
        new = [g.mutate(i) for i in injs]
        return kind, [first, step(INJECT, gen.config_text(new, False), True), step(['remove'] + INJECT[1:], gen.config_text(remover(injs), False), True)]
    if kind == 'list-update':
        new = [g.mutate(i) if r.random() < 0.5 else i for i in injs]
        r.shuffle(new)
        if len(new) > 1 and r.random() < 0.4:
            new.pop()
        return kind, [first, step(INJECT, gen.config_text(new, True), True), first]
    if kind == 'remove':
        return kind, [first, step(rm, both, True)]
    if kind == 'remove-name':
        l = remover(injs)
        r.shuffle(l)
        return kind, [first] + [step(rm, gen.config_text([i], False), True) for i in l]
    if kind == 'remove-one':
        i = r.choice(injs)
        return kind, [first, step(rm, gen.config_text([i], False), True), first]
    if kind == 'remove-inject':
        i = r.choice(injs)
        return kind, [first, step(INJECT, gen.config_text(remover([i]), False), True), step(INJECT, gen.config_text([i], False), True)]
    if kind == 'verify':
        v = ['verify', '-c', 'c.yaml', '-f', 'm.yaml', '-v']
        return kind, [step(v, both), first, step(v, both), step(v, gen.config_text([g.mutate(i) for i in injs], True))]
    if kind == 'explain':
        e = ['explain', '-c', 'c.yaml', '-f', 'm.yaml', '-v'] + r.choice([[], ['-o', 'wide']])
        return kind, [step(e, both), first, step(e, gen.config_text([g.mutate(i) for i in injs], True))]
    if kind == 'explain-json':
        e = ['explain', '-c', 'c.yaml', '-f', 'm.yaml', '-o', r.choice(['json', 'sarif', 'junit'])]
        return kind, [step(e, both), first, step(e, gen.config_text([g.mutate(i) for i in injs], True))]
    if kind == 'diff':
        d = ['diff', '-c', 'c.yaml', '-f', 'm.yaml', '-v']
        return kind, [step(d, both), first, step(d, gen.config_text([g.mutate(i) for i in injs], True))]
    if kind in ('drift', 'drift-remove'):
        e = ';'.join(r.sample(EDITS, r.choice([1, 2, 3, 5])))
        new = injs if r.random() < 0.6 else [g.mutate(i) for i in injs]
        if kind == 'drift-remove':
            return kind, [first, step(rm, gen.config_text(remover(injs), False), True, e)]
        return kind, [first, step(INJECT, gen.config_text(new, True), True, e), step(rm, both, True)]
    if kind == 'function':
        return kind, [step([], both, True, fn=True), step([], both, True, fn=True)]
    if kind == 'json':
        return kind, [step(INJECT + ['-o', 'json'], both, True), step(INJECT, both, True), step(rm, both, True)]
    if kind == 'no-keep-going':
        return kind, [step(['inject', '-c', 'c.yaml', '-f', 'm.yaml'], both)]
    if kind == 'namespace':
        return kind, [step(INJECT + ['-n', r.choice(['shop', 'billing', 'kube-system'])], both, True), first]
    if kind == 'action':
        l = copy.deepcopy(injs)
        act = r.choice(['Remove', 'Verify'])
        for i in l:
            if i['kind'] == 'SidecarInjector':
                i['spec']['action'] = act
                i['spec'].pop('paused', None)
        return kind, [first, step(INJECT, gen.config_text(l, True), True)]
    raise AssertionError(kind)


def resource_list(config, manifest):
    """The input of the function: one config, and the documents as items, in their own layout."""
    out = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
    for d in split(manifest):
        if d.lstrip().startswith('{'):
            out += '- ' + json.dumps(json.loads(d)) + '\n'
            continue
        lines = d.split('\n')
        done = False
        for l in lines:
            if not done and l and not l.startswith('#'):
                out += '- ' + l + '\n'
                done = True
            elif l.strip() and l.rstrip() != '...':
                out += ('  ' if done else '') + l + '\n'
            elif done and not l:
                out += '\n'
    conf = split(config)
    cfg = conf[0] if len(conf) == 1 else yaml.safe_dump({'apiVersion': 'pillion.dev/v1alpha1', 'kind': 'SidecarInjectorList',
                                                         'items': [yaml.load(c, LOADER) for c in conf]}, sort_keys=False)
    out += 'functionConfig:\n' + ''.join('  ' + l + '\n' for l in cfg.split('\n') if l.strip())
    return out


def run_steps(box, binary, manifest, steps):
    cur, res, stdin = manifest, [], None
    for s in steps:
        if s['edit']:
            cur = box.sed(s['edit'], cur)
        if s['fn']:
            if stdin is None:
                stdin = resource_list(s['config'], cur)
            rc, out, err = box.run(binary, [], stdin)
            if out and rc == 0:
                stdin = out
        else:
            box.put('c.yaml', s['config'])
            box.put('m.yaml', cur)
            rc, out, err = box.run(binary, s['args'])
            if s['feed'] and out:
                cur = out
        res.append((rc, out, err))
    return res


def code(line):
    m = re.search(r'\b(error|warning|info):? ([A-Z]\w+)', line)
    return m.group(2) if m else re.sub(r'[\d"].*', '', line)[:40]


def line_key(line):
    line = line.strip()
    m = re.match(r'[-+ ]*"?\'?([\w./-]+)"?\'?:', line)
    k = m.group(1) if m else line[:30]
    return re.sub(r'injected-\w+', 'injected-*', k)


def first_diff(a, b):
    la, lb = a.split('\n'), b.split('\n')
    for n in range(max(len(la), len(lb))):
        x, y = la[n] if n < len(la) else '<end>', lb[n] if n < len(lb) else '<end>'
        if x != y:
            return n + 1, x, y
    return 0, '', ''


NOTES = collections.Counter()


def panics(x):
    return 'goroutine ' in x[2] and 'panic' in x[2]


def differ(ra, rb):
    """None, or (class, description) of the first difference."""
    for n, (a, b) in enumerate(zip(ra, rb)):
        if a == b:
            continue
        pa, pb = panics(a), panics(b)
        if pa:  # nothing to compare with; the old one panics for local config and live objects that no injector selects
            NOTES['the old binary panics' + (', the new one too' if pb else ', the new one does not')] += 1
            return None
        if pb:
            return 'panic in new', 'step %d: %s' % (n + 1, b[2][:600])
        if a[2] != b[2]:
            no, x, y = first_diff(a[2], b[2])
            cx, cy = code(x), code(y)
            cls = 'stderr %s' % cx if cx == cy else 'stderr %s -> %s' % (cx, cy)
            if a[0] != b[0]:
                cls += ' (exit %d -> %d)' % (a[0], b[0])
            return cls, 'step %d, stderr line %d:\n    old: %s\n    new: %s' % (n + 1, no, x[:400], y[:400])
        if a[1] != b[1]:
            no, x, y = first_diff(a[1], b[1])
            return 'stdout %s' % line_key(x), 'step %d, stdout line %d:\n    old: %s\n    new: %s' % (n + 1, no, x[:300], y[:300])
        return 'exit %d -> %d' % (a[0], b[0]), 'step %d' % (n + 1)
    return None


def split(text):
    parts = re.split(r'(?m)^---[ \t]*\r?\n', text)
    return [p for p in parts if p.strip()]


# ---- minimising ---------------------------------------------------------------------------------------------

def blocks(text):
    """Ranges of lines: each line with the deeper lines below it, largest first."""
    lines = text.split('\n')
    out = []
    for n, l in enumerate(lines):
        if not l.strip():
            if n < len(lines) - 1:
                out.append((n, n + 1))
            continue
        ind = len(l) - len(l.lstrip())
        dash = l.lstrip().startswith('- ')
        end = n + 1
        while end < len(lines) and lines[end].strip():
            ei = len(lines[end]) - len(lines[end].lstrip())
            if ei > ind or (ei == ind and not dash and lines[end].lstrip().startswith('- ') and l.rstrip().endswith(':')):
                end += 1
            else:
                break
        out.append((n, end))
        if dash:  # the first key of an entry
            sub = n + 1
            key = ind + 2
            while sub < end and len(lines[sub]) - len(lines[sub].lstrip()) > key:
                sub += 1
            if sub < end:
                out.append((n, sub, 'dash'))
    return sorted(out, key=lambda b: b[0] - b[1])


def shrink(text, ok, budget):
    """The text with blocks of lines left out, as long as ok(text)."""
    changed = True
    while changed and budget[0] > 0:
        changed = False
        for b in blocks(text):
            if budget[0] <= 0:
                break
            lines = text.split('\n')
            if b[1] > len(lines):
                continue
            if len(b) == 3:
                nxt = lines[b[1]]
                ind = len(lines[b[0]]) - len(lines[b[0]].lstrip())
                new = lines[:b[0]] + [' ' * ind + '- ' + nxt.lstrip()] + lines[b[1] + 1:]
            else:
                new = lines[:b[0]] + lines[b[1]:]
            cand = '\n'.join(new)
            if not cand.strip() or cand == text:
                continue
            budget[0] -= 1
            if ok(cand):
                text = cand
                changed = True
                break
    return text


def shrink_many(texts, ok, budget=600):
    """Shrinks each of the texts in turn."""
    left = [budget]
    for _ in range(2):
        for n in range(len(texts)):
            def good(t, n=n):
                return ok(texts[:n] + [t] + texts[n + 1:])
            texts[n] = shrink(texts[n], good, left)
    return texts


# ---- side by side -------------------------------------------------------------------------------------------

class Kept:
    def __init__(self, what):
        stamp = time.strftime('%H%M%S')
        self.dir = os.path.join(KEEP, '%s-%s-%d' % (what, stamp, os.getpid()))
        self.n = 0

    def new(self, files):
        self.n += 1
        d = os.path.join(self.dir, '%03d' % self.n)
        os.makedirs(d)
        for name, text in files.items():
            with open(os.path.join(d, name), 'w', newline='') as f:
                f.write(text)
            if name.endswith('.sh'):
                os.chmod(os.path.join(d, name), 0o755)
        return d


def script(steps):
    out = ['#!/bin/bash', '# Usage: ./repro.sh BINARY; prints stdout, stderr and the exit code of each step', 'here=$(cd "$(dirname "$0")" && pwd)',
           'box=$(mktemp -d); cd "$box"; cp "$here/m.yaml" m.yaml']
    for n, s in enumerate(steps, 1):
        out.append('echo "=== step %d: pillion %s"' % (n, ' '.join(s['args'])))
        if s['edit']:
            out.append('sed -i -E %s m.yaml' % shlex.quote(s['edit']))
        if s['fn']:
            out.append('[ -f rl.yaml ] || cp "$here/rl.yaml" rl.yaml')
            out.append('"$1" <rl.yaml >out 2>err; rc=$?; [ $rc = 0 ] && [ -s out ] && cp out rl.yaml')
        else:
            out.append('cp "$here/c%d.yaml" c.yaml' % n)
            out.append('"$1" %s >out 2>err; rc=$?' % ' '.join(shlex.quote(a) for a in s['args']))
            if s['feed']:
                out.append('[ -s out ] && cp out m.yaml')
        out.append('cat out; cat err; echo "exit $rc"')
    return '\n'.join(out) + '\n'


def keep_files(manifest, steps, ra, rb):
    f = {'m.yaml': manifest, 'repro.sh': script(steps)}
    for n, s in enumerate(steps, 1):
        f['c%d.yaml' % n] = s['config']
        if s['fn']:
            f['rl.yaml'] = resource_list(steps[0]['config'], manifest)
    for who, res in (('old', ra), ('new', rb)):
        f[who + '.txt'] = ''.join('=== step %d\n%s\n--- stderr\n%s--- exit %d\n' % (n, x[1], x[2], x[0]) for n, x in enumerate(res, 1))
    return f


def compare(opt):
    box, kept = Box(), Kept('cmp')
    stats, classes, shown = collections.Counter(), collections.Counter(), {}
    codes = collections.Counter()
    done, batch, start = 0, 0, time.time()
    try:
        while done < opt.count and not (opt.stop_after and sum(classes.values()) >= opt.stop_after):
            seed = '%s/%d' % (opt.seed, batch)
            batch += 1
            g = gen.Gen(random.Random(seed))
            injs = g.injectors(g.chance(0.5))
            docs = g.manifests(20, gen.payload_containers(injs))
            for _ in range(opt.modes):
                mode, steps = scenarios(g, injs)
                manifest = gen.stream(docs)
                ra = run_steps(box, opt.binaries[0], manifest, steps)
                rb = run_steps(box, opt.binaries[1], manifest, steps)
                for x in ra:
                    codes.update(set(re.findall(r'(?:error|warning|info):? ([A-Z]\w+):', x[2])))
                valid = 'InvalidConfig' not in ra[0][2]
                stats['valid' if valid else 'invalid'] += 1
                done += len(docs) if valid else 1
                stats['injected'] += len(re.findall(r'info:? Injected:', ra[0][2]))
                stats['refused'] += len(re.findall(r'(?m)^\S*:? ?error:? ', ra[0][2]))
                d = differ(ra, rb)
                if not d:
                    if not valid:
                        break
                    continue
                cls = d[0]
                classes[cls] += 1
                if classes[cls] <= opt.per_class:
                    def still(m, st=steps, cls=cls):
                        a = run_steps(box, opt.binaries[0], m, st)
                        e = differ(a, run_steps(box, opt.binaries[1], m, st))
                        return e is not None and (e[0] == cls)
                    for doc in docs:
                        if still(doc['text']):
                            manifest = doc['text']
                            break
                    if classes[cls] == 1 and opt.minimise:
                        def ok(ts, steps=steps):
                            return still(ts[0], [dict(s, config=c) for s, c in zip(steps, ts[1:])])
                        n = len(steps)
                        while n > 1 and still(manifest, steps[:n - 1]):
                            n -= 1
                        steps = steps[:n]
                        ts = shrink_many([manifest] + [s['config'] for s in steps], ok, opt.minimise)
                        manifest, steps = ts[0], [dict(s, config=c) for s, c in zip(steps, ts[1:])]
                    ra, rb = run_steps(box, opt.binaries[0], manifest, steps), run_steps(box, opt.binaries[1], manifest, steps)
                    d = differ(ra, rb) or d
                    where = kept.new(keep_files(manifest, steps, ra, rb))
                    print('DIFFERENCE %s [mode %s, seed %s]\n  %s\n  kept in %s' % (cls, mode, seed, d[1], where), flush=True)
                    shown[cls] = where
                if opt.stop_after and sum(classes.values()) >= opt.stop_after:
                    break
    finally:
        box.close()
    took = time.time() - start
    print('%d triples, %d runs, %.0fs; configs: %d valid, %d invalid; workloads injected %d, findings of errors %d in first steps' %
          (done, RUNS['runs'], took, stats['valid'], stats['invalid'], stats['injected'], stats['refused']))
    for n, k in NOTES.items():
        print('note: %s (%d times)' % (n, k))
    if opt.codes:
        print('codes: ' + ', '.join('%s %d' % x for x in codes.most_common()))
    if classes:
        print('\n%d differences:' % sum(classes.values()))
        for c, n in classes.most_common():
            print('%5d  %s  (%s)' % (n, c, shown.get(c, '')))
        return 1
    print('no differences')
    return 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument('binaries', nargs='*')
    p.add_argument('--seed', default='1')
    p.add_argument('--count', type=int, default=3000)
    p.add_argument('--stop-after', type=int, default=0)
    p.add_argument('--modes', type=int, default=2, help='modes for each config')
    p.add_argument('--per-class', type=int, default=3, help='examples to keep of each class')
    p.add_argument('--minimise', type=int, default=300, help='runs to spend on minimising the first example of each class')
    p.add_argument('--codes', action='store_true', help='print the finding codes that occurred')
    p.add_argument('--laws', metavar='BINARY')
    p.add_argument('--only', default='', help='laws to check, separated by commas')
    opt = p.parse_args()
    if opt.laws:
        import laws
        return laws.check(opt)
    if len(opt.binaries) != 2:
        p.error('two binaries are needed')
    opt.binaries = [os.path.abspath(b) for b in opt.binaries]
    return compare(opt)


if __name__ == '__main__':
    sys.exit(main())
