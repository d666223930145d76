"""The laws of one binary, for compare.py --laws. A law takes the manifest as text and the injectors, and returns violations."""
import collections
import copy
import json
import os
import random
import re
import time

import yaml

import compare as c
import gen

REFUSED = re.compile(r'error:? (\w+): [\w.]+/((?:web|api|job)-\d+)')
ANEW = re.compile(r'WrittenAnew: [\w.]+/((?:web|api|job)-\d+)')


# What the documentation says: an injector that wants what the app has leaves no stamp, so another one may replace it, and the conflict
# shows in a list or later; what is left out of several equal ports depends on the order.
KNOWN = re.compile(r'settle: .*InjectorConflict|steps: outcome: list InjectorConflict, steps succeeds|(swap|steps): .*(PortConflict|/ports)')


class Run:
    """Runs of one binary, with what they refuse."""

    def __init__(self, box, binary):
        self.box, self.binary = box, binary
        self.refused, self.anew, self.log, self.stop = {}, set(), [], None

    def do(self, cmd, injs, text, as_list=True):
        cfg = gen.config_text(injs, as_list)
        self.box.put('c.yaml', cfg)
        self.box.put('m.yaml', text)
        rc, out, err = self.box.run(self.binary, [cmd, '-c', 'c.yaml', '-f', 'm.yaml', '--keep-going', '-v'])
        self.log.append((cmd, cfg, err))
        if 'goroutine ' in err and 'panic' in err:
            self.stop = 'panic'
        if not out:
            self.stop = self.stop or 'nothing: ' + c.code(err.split('\n')[0])
            return None
        for code, name in REFUSED.findall(err):
            self.refused.setdefault(name, code)
        self.anew.update(ANEW.findall(err))
        return out


def load(doc):
    try:
        return yaml.load(doc, c.LOADER)
    except yaml.YAMLError as e:
        return 'not YAML: %s' % e


def name_of(doc):
    o = load(doc)
    if isinstance(o, dict):
        if o.get('kind') == 'List' and o.get('items'):
            o = o['items'][0]
        return (o.get('metadata') or {}).get('name', '?')
    return '?'


def pod_of(o):
    if not isinstance(o, dict):
        return {}
    if o.get('kind') == 'List' and o.get('items'):
        o = o['items'][0]
    if o.get('kind') == 'Pod':
        return o
    if o.get('kind') == 'PodTemplate':
        return o.get('template') or {}
    s = o.get('spec') or {}
    if o.get('kind') == 'CronJob':
        s = (s.get('jobTemplate') or {}).get('spec') or {}
    if 'headGroupSpec' in s:
        s = s['headGroupSpec']
    return s.get('template') or {}


def loose(n):
    """The value with lists in one order, and without stamps and the default container."""
    if isinstance(n, dict):
        out = {k: loose(v) for k, v in n.items() if not str(k).startswith('pillion.dev/injected-')}
        return out
    if isinstance(n, list):
        return sorted((loose(v) for v in n), key=lambda v: json.dumps(v, sort_keys=True, default=str))
    return n


def where(a, b, path=''):
    """The path of the first difference of two values."""
    if isinstance(a, dict) and isinstance(b, dict):
        for k in list(a) + [k for k in b if k not in a]:
            if k not in a:
                return path + '/' + str(k) + ' only in the second'
            if k not in b:
                return path + '/' + str(k) + ' only in the first'
            if a[k] != b[k]:
                return where(a[k], b[k], path + '/' + str(k))
    if isinstance(a, list) and isinstance(b, list):
        named = all(isinstance(x, dict) and 'name' in x for x in a + b)
        if named:
            da, db = {x['name']: x for x in a}, {x['name']: x for x in b}
            if len(da) == len(a) and len(db) == len(b) and da != db:
                return where(da, db, path)
        if len(a) != len(b):
            return path + ' %d and %d entries' % (len(a), len(b))
        for x, y in zip(a, b):
            if x != y:
                return where(x, y, path + '[]')
    return '%s: %s | %s' % (path, str(a)[:80], str(b)[:80])


def classed(p):
    """The place of a difference, without names."""
    p = re.sub(r': .*', '', p, flags=re.S)
    p = re.sub(r'/(containers|initContainers)/[^/ ]+', r'/\1/*', p)
    p = re.sub(r'/(env|volumes|imagePullSecrets|ports|volumeMounts)/[^/ ]+', r'/\1/*', p)
    return re.sub(r'.*?(/template|/spec)(?=/)', '', p, count=1) if '/template' in p else p


def spec_of(i):
    return i.get('spec', {}) if i['kind'] == 'SidecarInjector' else {}


def law_twice(run, text, injs, rng):
    one = run.do('inject', injs, text)
    if one is None:
        return []
    before = dict(run.refused)
    two = run.do('inject', injs, one)
    if two is None:
        return [(None, 'twice: second run prints nothing (%s)' % run.stop, '')]
    bad = []
    da, db = c.split(one), c.split(two)
    if len(da) != len(db):
        return [(None, 'twice: number of documents', '')]
    for n, (a, b) in enumerate(zip(da, db)):
        name = name_of(a)
        if a != b:
            _, x, y = c.first_diff(a, b)
            bad.append((n, 'twice: bytes at %s' % c.line_key(x), '%s\n    first run:  %s\n    second run: %s' % (name, x[:300], y[:300])))
        elif name in run.refused and name not in before:
            bad.append((n, 'twice: second run refuses with %s' % run.refused[name], name))
    return bad


def removable(injs):
    for i in injs:
        s = spec_of(i)
        if s.get('adopt') or s.get('stamp') == 'None' or s.get('action'):
            return False
    return True


def law_remove1(run, text, injs, rng):
    injs = injs[:1]
    if not removable(injs):
        return []
    mid = run.do('inject', injs, text)
    if mid is None:
        return []
    before = dict(run.refused)
    back = run.do('remove', injs if rng.random() < 0.3 else c.remover(injs), mid)
    if back is None:
        return [(None, 'remove: prints nothing (%s)' % run.stop, '')]
    return same_docs('remove', text, mid, back, run, before, True)


def law_removeall(run, text, injs, rng):
    if len(injs) < 2 or not removable(injs):
        return []
    cur = text
    if rng.random() < 0.4:
        for i in injs:
            cur = cur and run.do('inject', [i], cur)
    else:
        cur = run.do('inject', injs, text)
    if cur is None:
        return []
    before, mid = dict(run.refused), cur
    l = list(injs)
    if rng.random() < 0.5:
        l.reverse()
    kinds = [w for i in injs for w in spec_of(i).get('workloads', [])][:1]
    for i in l:
        off = c.remover([i])
        if kinds:
            off[0]['spec']['workloads'] = kinds
        cur = run.do('remove', off, cur)
        if cur is None:
            return [(None, 'removeall: prints nothing (%s)' % run.stop, '')]
    return same_docs('removeall', text, mid, cur, run, before, True)


def same_docs(what, text, mid, back, run, before, bytes_too):
    bad = []
    da, db, dm = c.split(text), c.split(back), c.split(mid)
    if len(da) != len(db):
        return [(None, what + ': number of documents', '')]
    for n, (a, b, m) in enumerate(zip(da, db, dm)):
        if a == b:
            continue
        name = name_of(a)
        if name in run.refused and name not in before:
            bad.append((n, '%s: refuses with %s' % (what, run.refused[name]), name))
            continue
        x, y = load(a), load(b)
        if x != y:
            w = where(x, y)
            only = ' (order)' if loose(x) == loose(y) else ''
            bad.append((n, '%s: meaning at %s%s' % (what, classed(w), only), '%s: %s' % (name, w)))
        elif bytes_too and not a.lstrip().startswith('{') and '&' not in a and name not in run.anew and '\r' not in a:
            block = not re.search(r'[\[{].*[\]}]', re.sub(r'("[^"]*"|\'[^\']*\'|\{\}|\[\])', '', a))
            _, p, q = c.first_diff(a, b)
            bad.append((n, '%s: bytes (%s) at %s' % (what, 'block' if block else 'flow', c.line_key(p)), '%s\n    original: %s\n    back:     %s' % (name, p[:300], q[:300])))
    return bad


def tame(injs):
    """Without what the documentation says may depend on list or steps."""
    injs = copy.deepcopy(injs)
    for i in injs:
        s = spec_of(i)
        for x in s.get('containers', []) + s.get('initContainers', []):
            for f in ('shareVolumePolicy', 'shareVolumeDevicePolicy'):
                if f in x:
                    x[f].pop('includeInjected', None)
            for t in x.get('transferEnv', []):
                t.pop('envName', None)
                t.pop('envNames', None)
                if t.get('sourceContainerName') in ('proxy', 'logs', 'agent', 'shipper'):
                    t['sourceContainerName'] = 'web'
            if 'transferEnv' in x:
                x['transferEnv'] = [t for n, t in enumerate(x['transferEnv']) if t not in x['transferEnv'][:n]]
    return injs


def own_names(injs):
    return {x['name'] for x in gen.payload_containers(injs)}


def app_names(doc):
    s = pod_of(load(doc)).get('spec') or {}
    return {x.get('name') for f in ('containers', 'initContainers') for x in s.get(f) or []}


def law_steps(run, text, injs, rng):
    if len(injs) < 2 or not removable(injs):
        return []
    injs = tame(injs)
    if any(i['kind'] != 'SidecarInjector' for i in injs):
        return []
    for i in injs:  # in a list, it applies to all of them
        spec_of(i).pop('workloads', None)
    lst = run.do('inject', injs, text)
    if lst is None:
        return []
    ref_list = dict(run.refused)
    run.refused = {}
    cur = text
    order = list(injs)
    backwards = rng.random() < 0.4
    if backwards:
        order.reverse()
    for i in order:
        cur = run.do('inject', [i], cur)
        if cur is None:
            return [(None, 'steps: a step prints nothing (%s)' % run.stop, '')]
    ref_steps = dict(run.refused)
    if backwards:  # a mount of another injector's volume needs that one first
        for ref in (ref_list, ref_steps):
            for n in [n for n, e in ref.items() if e in ('DanglingMount', 'HeldBack')]:
                ref_list[n] = ref_steps[n] = 'DanglingMount'
    return compare_docs('steps', text, lst, cur, ref_list, ref_steps, injs, 'list', 'steps')


def compare_docs(what, text, one, two, ref1, ref2, injs, n1, n2):
    bad = []
    names = own_names(injs)
    for n, (o, a, b) in enumerate(zip(c.split(text), c.split(one), c.split(two))):
        name = name_of(o)
        if app_names(o) & names and what in ('steps', 'removeone', 'swap'):
            continue
        if name in ref1 or name in ref2:
            x, y = ref1.get(name, 'succeeds'), ref2.get(name, 'succeeds')
            if (name in ref1) != (name in ref2):
                bad.append((n, '%s: outcome: %s %s, %s %s' % (what, n1, x, n2, y), name))
            continue
        x, y = loose(pod_of(load(a))), loose(pod_of(load(b)))
        for p in (x, y):
            if isinstance(p.get('metadata'), dict) and p['metadata'].get('annotations') == {}:
                del p['metadata']['annotations']
        if x != y:
            w = where(x, y)
            bad.append((n, '%s: %s' % (what, classed(w)), '%s: %s and %s: %s' % (name, n1, n2, w)))
    return bad


def law_update(run, text, injs, rng):
    if not removable(injs):
        return []
    g = gen.Gen(rng)
    new = [g.mutate(i) for i in injs] if not run.__dict__.get('new') else run.new
    run.new = new
    fresh = run.do('inject', new, text)
    if fresh is None:
        return []
    ref1 = dict(run.refused)
    run.refused = {}
    cur = run.do('inject', injs, text)
    if cur is None:
        return []
    run.refused = {}
    cur = run.do('inject', new, cur)
    if cur is None:
        return [(None, 'update: prints nothing (%s)' % run.stop, '')]
    return compare_docs('update', text, fresh, cur, ref1, dict(run.refused), injs + new, 'fresh', 'updated')


def changed(what, one, two, run, before):
    """Violations where the second output is not the first one, byte for byte."""
    if two is None:
        return [(None, '%s: prints nothing (%s)' % (what, run.stop), '')]
    da, db, bad = c.split(one), c.split(two), []
    if len(da) != len(db):
        return [(None, what + ': number of documents', '')]
    for n, (a, b) in enumerate(zip(da, db)):
        name = name_of(a)
        if a != b:
            _, x, y = c.first_diff(a, b)
            bad.append((n, '%s: bytes at %s' % (what, c.line_key(x)), '%s\n    before: %s\n    after:  %s' % (name, x[:300], y[:300])))
        elif name in run.refused and name not in before:
            bad.append((n, '%s: the run again refuses with %s' % (what, run.refused[name]), name))
    return bad


def law_settle(run, text, injs, rng):
    """After all steps, each step again changes nothing."""
    if len(injs) < 2 or any(spec_of(i).get('stamp') == 'None' or spec_of(i).get('adopt') or spec_of(i).get('action') for i in injs):
        return []
    cur = text
    for i in injs:
        cur = run.do('inject', [i], cur)
        if cur is None:
            return []
    before = dict(run.refused)
    first = cur
    for i in injs:
        cur = run.do('inject', [i], cur)
        if cur is None:
            return []
    bad = changed('settle', first, cur, run, before)
    return [b for b in bad if name_of(c.split(first)[b[0] or 0]) not in before]


def law_drift(run, text, injs, rng):
    """After a change by hand and a run, another run changes nothing."""
    edit = ';'.join(rng.sample(c.EDITS, rng.choice([1, 1, 2])))
    run.edit = edit
    cur = run.do('inject', injs, text)
    if cur is None:
        return []
    cur = run.box.sed(edit, cur)
    run.log.append(('sed', edit, ''))
    one = run.do('inject', injs, cur)
    if one is None:
        return []
    before = dict(run.refused)
    return changed('drift', one, run.do('inject', injs, one), run, before)


def law_updateremove(run, text, injs, rng):
    """Inject, update, remove: the original."""
    injs = injs[:1]
    if not removable(injs):
        return []
    g = gen.Gen(rng)
    new = [g.mutate(i) for i in injs] if not run.__dict__.get('new') else run.new
    run.new = new
    if not removable(new):
        return []
    cur = run.do('inject', injs, text)
    cur = cur and run.do('inject', new, cur)
    if cur is None:
        return []
    before, mid = dict(run.refused), cur
    back = run.do('remove', c.remover(injs), cur)
    if back is None:
        return [(None, 'updateremove: prints nothing (%s)' % run.stop, '')]
    return same_docs('updateremove', text, mid, back, run, before, True)


def law_removeone(run, text, injs, rng):
    """A list without one of its injectors is what is left when that one is removed."""
    if len(injs) < 2 or not removable(injs):
        return []
    injs = tame(injs)
    kinds = [w for i in injs for w in spec_of(i).get('workloads', [])][:1]
    for i in injs:
        if kinds and i['kind'] == 'SidecarInjector':
            i['spec']['workloads'] = kinds
    rest = injs[1:] if rng.random() < 0.5 else injs[:-1]
    gone = [i for i in injs if i not in rest]
    both = run.do('inject', injs, text)
    if both is None:
        return []
    skip = dict(run.refused)
    run.refused = {}
    left = run.do('remove', c.remover(gone), both)
    left = left and run.do('inject', rest, left)
    fresh = left and run.do('inject', rest, text)
    if fresh is None:
        return []
    bad = compare_docs('removeone', text, fresh, left, run.refused, run.refused, injs, 'fresh', 'left')
    return [b for b in bad if name_of(c.split(text)[b[0]]) not in skip]


def law_deselect(run, text, injs, rng):
    """A config that no longer selects anything gives the original back."""
    injs = injs[:1]
    if not removable(injs) or injs[0]['kind'] != 'SidecarInjector':
        return []
    mid = run.do('inject', injs, text)
    if mid is None:
        return []
    before = dict(run.refused)
    off = copy.deepcopy(injs)
    off[0]['spec']['names'] = ['nothing']
    off[0]['spec'].pop('paused', None)
    off[0]['spec'].pop('expect', None)
    if spec_of(injs[0]).get('paused'):
        return []
    back = run.do('inject', off, mid)
    if back is None:
        return [(None, 'deselect: prints nothing (%s)' % run.stop, '')]
    bad = same_docs('deselect', text, mid, back, run, before, True)
    return [b for b in bad if b[0] is None or not re.search(r'(NamespaceUnknown|MarkerUnclear|NamespaceLabelsUnknown|NamespaceAmbiguous)\S* \S*' + name_of(c.split(text)[b[0]]), run.log[-1][2])]


class Full(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


def law_layout(run, text, injs, rng):
    """The layout of a manifest has no influence on the result."""
    docs = c.split(text)
    plain = '---\n'.join(yaml.dump(load(d), Dumper=Full, sort_keys=False) for d in docs)
    one = run.do('inject', injs, text)
    ref1 = dict(run.refused)
    run.refused = {}
    two = one and run.do('inject', injs, plain)
    if two is None:
        return []
    bad = []
    for n, (o, a, b) in enumerate(zip(docs, c.split(one), c.split(two))):
        name = name_of(o)
        x, y = ref1.get(name, 'succeeds'), run.refused.get(name, 'succeeds')
        if x != y:
            if '*' not in o:
                bad.append((n, 'layout: outcome: %s, canonical layout %s' % (x, y), name))
            continue
        va, vb = without_stamps(load(a)), without_stamps(load(b))
        if va != vb:
            w = where(va, vb)
            bad.append((n, 'layout: %s%s' % (classed(w), ' (order)' if loose(va) == loose(vb) else ''), '%s: as written and canonical: %s' % (name, w)))
    return bad


def without_stamps(n):
    if isinstance(n, dict):
        return {k: without_stamps(v) for k, v in n.items() if not str(k).startswith('pillion.dev/injected-')}
    if isinstance(n, list):
        return [without_stamps(v) for v in n]
    return n


EDITED = [r'/injected-/!s/nginx:1.27/nginx:1.28/g', r'/injected-/!s/^( *)image: (nginx:1.27|app:1)$/&\n\1stdin: true/',
          r'/injected-/!s/^( *)command:$/\1# by hand\n&/', r'/injected-/!s/^( *)- name: (worker|app)$/&\n\1  tty: true/']


def law_edited(run, text, injs, rng):
    """An edit of the app after the injection survives the removal."""
    injs = injs[:1]
    if not removable(injs):
        return []
    edit = rng.choice(EDITED)
    mid = run.do('inject', injs, text)
    if mid is None:
        return []
    mid = run.box.sed(edit, mid)
    run.log.append(('sed', edit, ''))
    if rng.random() < 0.5:
        mid = run.do('inject', injs, mid)
        if mid is None:
            return []
    before = dict(run.refused)
    back = run.do('remove', c.remover(injs), mid)
    if back is None:
        return [(None, 'edited: prints nothing (%s)' % run.stop, '')]
    bad = same_docs('edited', run.box.sed(edit, text), mid, back, run, before, True)
    docs, mids = c.split(text), c.split(mid)
    bad = [b for b in bad if b[0] is None or not re.search(r'(?m)^.*(containers.*injected-|injected-.*containers).*$', mids[b[0]])]
    return [b for b in bad if b[0] is None or not app_names(docs[b[0]]) & own_names(injs)]


def law_order(run, text, injs, rng):
    """Without explicit places, list and steps give the same order."""
    if len(injs) < 2 or not removable(injs) or any(i['kind'] != 'SidecarInjector' for i in injs):
        return []
    injs = tame(injs)
    for i in injs:
        s = i['spec']
        s.pop('workloads', None)
        for x in s.get('containers', []) + s.get('initContainers', []):
            for f in ('before', 'after', 'podInjectPolicy'):
                x.pop(f, None)
    lst = run.do('inject', injs, text)
    if lst is None:
        return []
    cur, skip = text, dict(run.refused)
    for i in injs:
        cur = run.do('inject', [i], cur)
        if cur is None:
            return []
    skip.update(run.refused)
    bad, names = [], own_names(injs)
    for n, (o, a, b) in enumerate(zip(c.split(text), c.split(lst), c.split(cur))):
        x, y = without_stamps(pod_of(load(a))), without_stamps(pod_of(load(b)))
        if name_of(o) in skip or app_names(o) & names or x == y or loose(x) != loose(y):
            continue
        w = order_of(x, y)
        bad.append((n, 'order: ' + classed(w), '%s: list and steps: %s' % (name_of(o), w)))
    return bad


def order_of(a, b, path=''):
    if isinstance(a, dict) and isinstance(b, dict):
        for k in a:
            if k in b and a[k] != b[k]:
                return order_of(a[k], b[k], path + '/' + str(k))
    if isinstance(a, list) and isinstance(b, list):
        if loose(a) == loose(b) and sorted(map(str, a)) == sorted(map(str, b)):
            def short(l):
                return [x.get('name', x.get('mountPath', x)) if isinstance(x, dict) else x for x in l]
            return '%s: %s | %s' % (path, short(a), short(b))
        for x, y in zip(a, b):
            if x != y:
                return order_of(x, y, path + '/' + (str(x.get('name')) if isinstance(x, dict) else ''))
    return '%s: %s | %s' % (path, str(a)[:80], str(b)[:80])


def law_swap(run, text, injs, rng):
    """The order of a list has no influence on what is in the pod."""
    if len(injs) < 2 or any(spec_of(i).get('stamp') == 'None' or spec_of(i).get('adopt') for i in injs):
        return []
    injs = tame(injs)
    one = run.do('inject', injs, text)
    ref1 = dict(run.refused)
    run.refused = {}
    two = one and run.do('inject', injs[::-1], text)
    if two is None:
        return []
    ref2 = dict(run.refused)
    for ref in (dict(ref1), dict(ref2)):
        for n, e in ref.items():
            if e in ('DanglingMount', 'HeldBack'):
                ref1[n] = ref2[n] = 'DanglingMount'
    return compare_docs('swap', text, one, two, ref1, ref2, injs, 'list', 'reversed')


def law_bystander(run, text, injs, rng):
    """An injector that selects nothing changes nothing."""
    if any(i['kind'] != 'SidecarInjector' for i in injs):
        return []
    g = gen.Gen(rng)
    other = g.injector('zz', True)
    if other['kind'] != 'SidecarInjector':
        return []
    for n, x in enumerate(other['spec'].get('containers', []) + other['spec'].get('initContainers', [])):
        x['name'] = 'zz-%d' % n
    other['spec']['names'] = ['nothing']
    other['spec'].pop('expect', None)
    other['spec'].pop('workloads', None)
    other['spec'].pop('paused', None)
    one = run.do('inject', injs, text)
    two = one and run.do('inject', injs + [other], text)
    if two is None:
        return []
    return changed('bystander', one, two, run, run.refused)


def law_alone(run, text, injs, rng):
    """A workload alone gets what it gets among others."""
    docs = c.split(text)
    one = run.do('inject', injs, text)
    if one is None or len(docs) < 3:
        return []
    outs, bad = c.split(one), []
    extra = [d for d in docs if name_of(d) in ('shop', 'app-config')]
    for n in rng.sample(range(len(docs)), 2):
        if docs[n] in extra:
            continue
        alone = run.do('inject', injs, '---\n'.join([docs[n]] + extra))
        if alone is None:
            if name_of(docs[n]) not in run.refused and 'TooFew' not in run.log[-1][2] and 'TooMany' not in run.log[-1][2]:
                bad.append((n, 'alone: prints nothing: ' + run.stop, ''))
            continue
        if c.split(alone)[0] != outs[n]:
            bad.append((n, 'alone: other bytes', str(c.first_diff(outs[n], c.split(alone)[0]))[:300]))
    return bad


def law_function(run, text, injs, rng):
    """The function makes the same objects as the command."""
    docs = c.split(text)
    if any(i['kind'] != 'SidecarInjector' for i in injs):
        return []
    one = run.do('inject', injs, text)
    if one is None:
        return []
    keep = [d for d in docs if name_of(d) not in run.refused and not re.search(r'LeftOut.*' + re.escape(name_of(d)), run.log[-1][2])]
    text = '---\n'.join(keep)
    run.refused = {}
    one = keep and run.do('inject', injs, text)
    if not one or run.refused:
        return []
    rc, out, err = run.box.run(run.binary, [], c.resource_list(gen.config_text(injs, True), text))
    if rc:
        return [(None, 'function: exit %d: %s' % (rc, c.code(err.split('\n')[0])), err[:300])]
    try:
        items = load(out)['items']
    except (TypeError, KeyError):
        if 'duplicate anchor' in str(load(out)):  # PyYAML's limit
            return []
        return [(None, 'function: output is not a ResourceList', str(load(out))[:300])]
    want = [load(d) for d in c.split(one)]
    if len(items) != len(want):
        return [(None, 'function: number of items', '')]
    bad = []
    for n, (a, b) in enumerate(zip(want, items)):
        if without_stamps(a) != without_stamps(b):
            w = where(without_stamps(a), without_stamps(b))
            bad.append((None, 'function: ' + classed(w), w))
    return bad


def law_json(run, text, injs, rng):
    """JSON output has the same meaning as YAML output, except for nothing."""
    one = run.do('inject', injs, text)
    if one is None:
        return []
    rc, out, err = run.box.run(run.binary, ['inject', '-c', 'c.yaml', '-f', 'm.yaml', '--keep-going', '-o', 'json'])
    if not out:
        return [(None, 'json: prints nothing', err[:300])]
    dec, pos, vals = json.JSONDecoder(), 0, []
    while pos < len(out.rstrip()):
        v, pos = dec.raw_decode(out, pos)
        vals.append(v)
        while pos < len(out) and out[pos] in ' \n\r\t':
            pos += 1
    if len(vals) == 1 and vals[0].get('kind') == 'List' and 'items' in vals[0]:
        vals = vals[0]['items']
    docs = [load(d) for d in c.split(one)]
    flat = []
    for d in docs:
        flat += d['items'] if isinstance(d, dict) and d.get('kind') == 'List' else [d]
    vals2 = []
    for d in vals:
        vals2 += d['items'] if isinstance(d, dict) and d.get('kind') == 'List' else [d]
    if len(flat) != len(vals2):
        return [(None, 'json: number of objects %d %d' % (len(flat), len(vals2)), '')]
    bad = []
    for n, (a, b) in enumerate(zip(flat, vals2)):
        if a != b:
            w = where(a, b)
            bad.append((n if len(flat) == len(docs) else None, 'json: ' + classed(w), w))
    return bad


def law_patch(run, text, injs, rng):
    """What diff prints, applied with patch, is what inject writes."""
    one = run.do('inject', injs, text)
    if one is None or run.refused:
        # diff fails as a whole; try without the refused ones
        docs = [d for d in c.split(text) if name_of(d) not in run.refused]
        if one is None or not docs:
            return []
        text = '---\n'.join(docs)
        run.refused = {}
        one = run.do('inject', injs, text)
        if one is None or run.refused:
            return []
    rc, out, err = run.box.run(run.binary, ['diff', '-c', 'c.yaml', '-f', 'm.yaml'])
    if rc > 1:
        return []
    import subprocess
    run.box.put('d.patch', out)
    run.box.put('p.yaml', text)
    if out.strip():
        p = subprocess.run(['patch', '-s', 'p.yaml', 'd.patch'], cwd=run.box.dir, capture_output=True)
        if p.returncode:
            return [(None, 'patch: does not apply', p.stdout.decode()[:300])]
    with open(os.path.join(run.box.dir, 'p.yaml'), newline='') as f:
        got = f.read()
    if got != one:
        return [(None, 'patch: another result', str(c.first_diff(one, got)))]
    return []


LAWS = {'twice': law_twice, 'remove': law_remove1, 'removeall': law_removeall, 'steps': law_steps, 'update': law_update, 'settle': law_settle, 'drift': law_drift,
        'updateremove': law_updateremove, 'removeone': law_removeone, 'deselect': law_deselect, 'layout': law_layout, 'json': law_json, 'patch': law_patch,
        'edited': law_edited, 'order': law_order,
        'swap': law_swap, 'bystander': law_bystander, 'alone': law_alone, 'function': law_function}


def check(opt):
    binary = os.path.abspath(opt.laws)
    box, kept = c.Box(), c.Kept('laws')
    classes, shown = collections.Counter(), {}
    stats = collections.Counter()
    done, batch, start = 0, 0, time.time()
    only = [l for l in opt.only.split(',') if l] or list(LAWS)
    try:
        while done < opt.count and not (opt.stop_after and sum(classes.values()) >= opt.stop_after):
            seed = '%s/%d' % (opt.seed, batch)
            batch += 1
            g = gen.Gen(random.Random(seed))
            g.calm = True
            injs = g.injectors(g.chance(0.75))
            docs = g.manifests(20, gen.payload_containers(injs))
            text = gen.stream(docs)
            for law in only:
                lseed = seed + law
                run = Run(box, binary)
                bad = LAWS[law](run, text, injs, random.Random(lseed))
                stats[law] += len(docs) if run.log and not run.stop else 0
                if run.stop and not bad:
                    stats['invalid'] += 1
                if run.stop == 'panic':
                    bad.append((None, 'panic', run.log[-1][2][:500]))
                for n, cls, detail in bad:
                    if KNOWN.search(cls):
                        stats['documented'] += 1
                        continue
                    classes[cls] += 1
                    if classes[cls] > opt.per_class:
                        continue
                    files, small, d2 = example(box, binary, law, lseed, docs, n, cls, injs, opt.minimise if classes[cls] == 1 else 0)
                    d = kept.new(files)
                    shown.setdefault(cls, d)
                    print('VIOLATION %s [seed %s]\n  %s\n  kept in %s' % (cls, seed, d2 or detail, d), flush=True)
            done += len(docs)
    finally:
        box.close()
    print('%d triples for each law, %d runs, %.0fs; checked: %s' % (done, c.RUNS['runs'], time.time() - start, dict(stats)))
    for cls, n in classes.most_common():
        print('%5d  %s  (%s)' % (n, cls, shown.get(cls, '')))
    return 1 if classes else 0


def example(box, binary, law, lseed, docs, n, cls, injs, budget):
    """The files of one violation, made smaller."""
    first = Run(box, binary)
    LAWS[law](first, gen.stream(docs), injs, random.Random(lseed))
    new = first.__dict__.get('new')
    cnt = len(injs)
    last = {}

    def ok(ts):
        try:
            parsed = [yaml.load(t, c.LOADER) for t in ts[1:]]
            if not all(isinstance(p, dict) and p.get('kind') and isinstance(p.get('metadata'), dict) and p['metadata'].get('name') for p in parsed):
                return False
            if not all(isinstance(p.get('spec', {}), dict) for p in parsed):
                return False
            if n is not None and not re.match(r'(web|api|job)-\d+$', name_of(ts[0])):
                return False
            run = Run(box, binary)
            if new:
                run.new = parsed[cnt:]
            bad = LAWS[law](run, ts[0], parsed[:cnt], random.Random(lseed))
        except Exception:
            return False
        if run.stop == 'panic':
            bad = bad + [(None, 'panic', run.log[-1][2][:300])]
        for b in bad:
            if b[1] == cls:
                last['run'], last['detail'] = run, b[2]
                return True
        return False

    if n is None:
        for d in docs:
            one = [d['text']] + [gen.config_text([i], False) for i in injs + (new or [])]
            if re.match(r'(web|api|job)-', name_of(d['text'])) and ok(one):
                docs, n = [d], 0
                break
    ts = [docs[n]['text'] if n is not None else gen.stream(docs)] + [gen.config_text([i], False) for i in injs + (new or [])]
    if not ok(ts):
        ts[0] = gen.stream(docs)
    if budget and ok(ts):
        if law not in ('update', 'updateremove') and cnt > 1:
            for k in range(cnt - 1, -1, -1):  # without some of the injectors
                if cnt > 1:
                    less = ts[:1 + k] + ts[2 + k:]
                    cnt -= 1
                    if ok(less):
                        ts = less
                    else:
                        cnt += 1
        ts = c.shrink_many(ts, ok, budget)
        ok(ts)
    files = {'m.yaml': ts[0]}
    for k, t in enumerate(ts[1:]):
        files['i%d.yaml' % (k + 1) if k < cnt else 'new%d.yaml' % (k + 1 - cnt)] = t
    run = last.get('run') or first
    sh = ['#!/bin/bash', '# %s; usage: ./repro.sh BINARY' % cls, 'here=$(cd "$(dirname "$0")" && pwd); box=$(mktemp -d); cd "$box"; cp "$here/m.yaml" m.yaml; n=0']
    for k, (cmd, cfg, err) in enumerate(run.log, 1):
        if cmd == 'sed':
            sh.append('sed -i -E %s m.yaml' % c.shlex.quote(cfg))
            continue
        files['c%d.yaml' % k] = cfg
        if law in ('steps', 'update', 'layout', 'order', 'swap', 'bystander') and k == 2 or law == 'removeone' and k == 4:
            sh.append('cp "$here/m.yaml" m.yaml')
        sh.append('cp "$here/c%d.yaml" c.yaml; echo "=== %s"; "$1" %s -c c.yaml -f m.yaml --keep-going -v >out; [ -s out ] && cp out m.yaml; cat m.yaml' % (k, cmd, cmd))
    files['repro.sh'] = '\n'.join(sh) + '\n'
    return files, ts, last.get('detail', '')
