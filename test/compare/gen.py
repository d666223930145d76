"""Random configs and manifests for compare.py. Everything follows from one random.Random."""
import copy
import functools
import json
import re

import yaml

APP_NAMES = ['web', 'app', 'worker', 'proxy', 'logs', 'agent']
APP_W = [20, 16, 8, 1, 1, 1]
SIDE_NAMES = ['proxy', 'logs', 'agent', 'shipper', 'web']
SIDE_W = [8, 8, 6, 6, 0.4]
INIT_NAMES = ['setup', 'migrate', 'wait', 'init-logs']
VOLS = ['conf', 'data', 'buf', 'tmp', 'certs']
ENVS = ['A', 'B', 'C', 'HOST', 'PORT', 'URL', 'LOG_LEVEL', 'REGION']
JOINED = ['JAVA_TOOL_OPTIONS', 'PYTHONPATH', 'OTEL_RESOURCE_ATTRIBUTES']
PATHS = ['/data', '/etc/conf', '/tmp', '/var/log', '/certs', '/data/']
PORTNUMS = [80, 8080, 9090, 15001]
PORTNAMES = ['http', 'admin', 'metrics']
IMAGES = ['nginx:1.27', 'app:1', 'app:2', 'proxy:1', 'fluent/fluent-bit:3.2.4', 'busybox:1.37']
NAMESPACES = ['shop', 'billing', 'team-a', None, None]
CMS = ['app-config', 'logs-config', 'settings']
SECRETS = ['registry', 'creds', 'pull']
INJECTORS = ['envoy', 'logs', 'agent', 'mesh', 'otel']
JOIN_SEP = {'JAVA_TOOL_OPTIONS': ' ', 'PYTHONPATH': ':', 'OTEL_RESOURCE_ATTRIBUTES': ','}
JOIN_VALS = {
    'JAVA_TOOL_OPTIONS': ['-Xmx1g', '-javaagent:/a.jar', '-Da=b -Dc=d', '-Dx=$(A)'],
    'PYTHONPATH': ['/agent', '/app', '/app:/agent', '/lib'],
    'OTEL_RESOURCE_ATTRIBUTES': ['team=shop', 'a=1,b=2', 'pod=$(A)', 'team=x'],
}


class Anchor:
    def __init__(self, name, value):
        self.name, self.value = name, value


class Alias:
    def __init__(self, anchor):
        self.anchor = anchor


class Merge:  # {<<: *anchor, ...}
    def __init__(self, anchor, more):
        self.anchor, self.more = anchor, more


class Block:  # a block scalar
    def __init__(self, text):
        self.text = text


def resolve(n):
    """The value without anchors, aliases and styles."""
    if isinstance(n, Anchor):
        return resolve(n.value)
    if isinstance(n, Alias):
        return resolve(n.anchor.value)
    if isinstance(n, Merge):
        out = dict(resolve(n.anchor.value))
        out.update(resolve(n.more))
        return out
    if isinstance(n, Block):
        return n.text
    if isinstance(n, dict):
        return {k: resolve(v) for k, v in n.items()}
    if isinstance(n, list):
        return [resolve(v) for v in n]
    return n


@functools.lru_cache(None)
def is_plain(s):
    if s == '' or s.strip() != s or '\n' in s or s in ('y', 'n', 'Y', 'N') or re.match(r'[-+]?\.?\d[\d.]*([eE][-+]?\d+)?$', s):
        return False
    try:
        return yaml.safe_load(s) == s and yaml.safe_load('[%s]' % s) == [s]
    except yaml.YAMLError:
        return False


class Writer:
    """Writes YAML in a random layout."""

    def __init__(self, r, style):
        self.r, self.s = r, style

    def chance(self, p):
        return self.r.random() < p

    def string(self, s, flow=False):
        plain = is_plain(s)
        if plain and not self.chance(self.s['quotes']):
            return s
        if "\n" not in s and self.chance(0.4):
            return "'" + s.replace("'", "''") + "'"
        return json.dumps(s, ensure_ascii=False)

    def scalar(self, v, flow=False):
        if v is None:
            return 'null' if flow else self.r.choice(['null', '~'])
        if v is True:
            return 'true'
        if v is False:
            return 'false'
        if isinstance(v, (int, float)):
            return str(v)
        if isinstance(v, Block):
            return json.dumps(v.text)
        return self.string(v, flow)

    def flow(self, n):
        if isinstance(n, Anchor):
            return '&%s %s' % (n.name, self.flow(n.value))
        if isinstance(n, Alias):
            return '*%s ' % n.anchor.name
        if isinstance(n, Merge):
            return '{<<: *%s %s}' % (n.anchor.name, ''.join(', %s: %s' % (k, self.flow(v)) for k, v in n.more.items()))
        if isinstance(n, dict):
            sep = self.r.choice([', ', ', ', ','])
            return '{' + sep.join('%s: %s' % (self.string(k), self.flow(v)) for k, v in n.items()) + '}'
        if isinstance(n, list):
            return '[' + ', '.join(self.flow(v) for v in n) + ']'
        return self.scalar(n, True)

    def flow_lines(self, n, ind):
        """A flow collection over several lines."""
        pad, end = '\n' + ' ' * (ind + 2), '\n' + ' ' * (ind + self.r.choice([0, 2]))
        if self.chance(0.3):
            end = ''
        comma = ',' if self.chance(0.3) and end else ''
        if isinstance(n, dict):
            return '{' + pad + (',' + pad).join('%s: %s' % (self.string(k), self.flow(v)) for k, v in n.items()) + comma + end + '}'
        return '[' + pad + (',' + pad).join(self.flow(v) for v in n) + comma + end + ']'

    def comment(self):
        return '# ' + self.r.choice(['the app', 'keep: this', 'TODO', 'see docs', '- not an entry', 'x'])

    def tail(self):
        return ' ' * self.r.choice([1, 1, 2]) + self.comment() if self.chance(self.s['tails']) else ''

    def above(self, out, ind):
        if self.chance(self.s['comments']):
            at = ind if not self.chance(self.s['weird']) else self.r.choice([0, max(0, ind - 2), ind + 2])
            out.append(' ' * at + self.comment())
        if self.chance(self.s['blanks']):
            out.append('')

    def size(self, n):
        if isinstance(n, (Anchor,)):
            return self.size(n.value)
        if isinstance(n, Merge):
            return 1 + self.size(n.more)
        if isinstance(n, dict):
            return 1 + sum(self.size(v) for v in n.values())
        if isinstance(n, list):
            return 1 + sum(self.size(v) for v in n)
        return 1

    def has_block(self, n):
        if isinstance(n, Anchor):
            return self.has_block(n.value)
        if isinstance(n, dict):
            return any(self.has_block(v) for v in n.values())
        if isinstance(n, list):
            return any(self.has_block(v) for v in n)
        return isinstance(n, Block)

    def value(self, head, n, ind, out, seqind):
        """head is the text up to and including the colon or dash, without a space behind it."""
        if isinstance(n, Anchor):
            head, n = head + ' &' + n.name, n.value
        if isinstance(n, Alias):
            out.append('%s *%s%s' % (head, n.anchor.name, self.tail()))
            return
        if isinstance(n, Merge):
            out.append(head + self.tail())
            out.append(' ' * ind + '<<: *' + n.anchor.name)
            self.mapping(n.more, ind, out)
            return
        if isinstance(n, Block):
            out.append(head + ' |' + ('' if n.text.endswith('\n') else '-'))
            for line in n.text.rstrip('\n').split('\n'):
                out.append(' ' * ind + line if line else '')
            return
        if isinstance(n, (dict, list)):
            if not n and self.chance(self.s['weird'] * 0.5):
                out.append(head + self.tail())
                out.append(' ' * ind + ('{}' if isinstance(n, dict) else '[]'))
            elif not n:
                out.append(head + (' {}' if isinstance(n, dict) else ' []') + self.tail())
            elif self.s['weird'] and not self.has_block(n) and self.chance(self.s['weird'] * 0.4):
                out.extend((head + ' ' + self.flow_lines(n, ind)).split('\n'))
            elif not self.has_block(n) and self.chance(self.s['flow'] * (1 if self.size(n) < 12 else 0.25)):
                out.append(head + ' ' + self.flow(n) + self.tail())
            elif isinstance(n, dict):
                out.append(head + self.tail())
                self.mapping(n, ind, out)
            else:
                out.append(head + self.tail())
                self.sequence(n, seqind, out)
            return
        if isinstance(n, str) and self.s['weird'] and self.chance(self.s['weird'] * 0.3):
            if ' ' in n and '\n' not in n and n.strip() == n and '  ' not in n:
                out.append(head + self.r.choice([' >-', ' |-']) + self.tail())
                out.append(' ' * ind + n)
                return
            if is_plain(n) and self.chance(0.5):
                out.append(head + ' !!str ' + n)
                return
            if is_plain(n) and self.chance(0.5):
                out.append(head)
                out.append(' ' * ind + n + self.tail())
                return
        if n is None and self.chance(0.5):
            out.append(head + self.tail())
            return
        out.append(head + ' ' + self.scalar(n) + self.tail())

    def mapping(self, d, ind, out, first=True):
        step = self.s['step']
        for k, v in d.items():
            if not first:
                self.above(out, ind)
            first = False
            self.value(' ' * ind + self.string(k) + ':', v, ind + step, out, ind + self.s['seq'])

    def sequence(self, l, ind, out):
        dash = '-' + ' ' * self.s['dash']
        for n, v in enumerate(l):
            if n or self.chance(0.3):
                self.above(out, ind)
            if isinstance(v, dict) and v and not (not self.has_block(v) and self.chance(self.s['flow'] * (1 if self.size(v) < 12 else 0.25))):
                sub = []
                if self.chance(self.s['weird'] * 0.3):
                    out.append(' ' * ind + '-' + self.tail())
                    self.mapping(v, ind + len(dash), out)
                    continue
                self.mapping(v, ind + len(dash), sub)
                sub[0] = ' ' * ind + dash + sub[0][ind + len(dash):]
                out.extend(sub)
            elif isinstance(v, dict):
                out.append(' ' * ind + '- ' + self.flow(v) + self.tail())
            else:
                self.value(' ' * ind + '-', v, ind + 2, out, ind + 2)

    def document(self, obj):
        out = []
        self.mapping(obj, 0, out)
        if self.s['weird']:
            out = [l + ' ' if l and self.chance(0.02) and not l.rstrip().endswith(('|', '|-', '>-')) else l for l in out]
            if self.chance(0.1):
                out.append('    # end, indented')
            if self.chance(0.05):
                out += ['', '']
            if self.chance(0.04):
                out.append('...')
        return '\n'.join(out) + '\n'


def plain_style():
    return dict(quotes=0.05, flow=0, tails=0.05, comments=0.03, blanks=0.01, step=2, seq=0, dash=1, weird=0)


class Gen:
    def __init__(self, rng):
        self.r = rng
        tight = rng.random() < 0.4  # few names and values, so that injectors and apps share and collide
        self.vols = VOLS[:2] if tight else VOLS
        self.envs = ENVS[:3] if tight else ENVS
        self.paths = PATHS[:2] + PATHS[-1:] if tight else PATHS
        self.joined = JOINED[:1] if tight else JOINED
        self.tight = tight
        self.calm = False
        self.easy = rng.random() < 0.5  # conflicts are settled, so that more gets injected
        self.collide = rng.choice([0.07, 0.07, 0.3, 0.5])  # how often an app has a container like one of the payload

    def chance(self, p):
        return self.r.random() < p

    def pick(self, l):
        return self.r.choice(l)

    def sample(self, l, lo, hi):
        return self.r.sample(l, min(len(l), self.r.randint(lo, hi)))

    def names(self, pool, weights, n):
        out = []
        while len(out) < n:
            x = self.r.choices(pool, weights)[0]
            if x not in out:
                out.append(x)
        return out

    # Parts of pods, used on both sides so that they often collide.

    def env_value(self, app):
        if self.chance(0.03):
            return self.pick(['größe', 'a"b', "it's", '#x', 'a: b', '- x', '{"a": "$(A)"}', 'x' * 90 + ' y ' * 20, '\ttab', 'two\nlines', 'ends ', '0x10', '1e3', '~', '\u2028'])
        vals = ['1', 'x', 'true', 'debug', 'http://$(HOST):$(PORT)', '$(A)', '$(B)/x', '$$(A)', 'proxy', '', 'a b', '8080']
        return self.pick(vals[:2] + vals[5:6] if self.tight else vals)

    def env_entry(self, name, app):
        k = self.r.random()
        if name in JOINED and k < 0.9:
            return {'name': name, 'value': self.pick(JOIN_VALS[name])}
        if k < 0.82:
            return {'name': name, 'value': self.env_value(app)}
        if k < 0.87:
            return {'name': name, 'valueFrom': {'fieldRef': {'fieldPath': self.pick(['metadata.name', 'status.podIP'])}}}
        if k < 0.92:
            return {'name': name, 'valueFrom': {'configMapKeyRef': {'name': self.pick(CMS), 'key': 'k'}}}
        if k < 0.96:
            return {'name': name, 'valueFrom': {'secretKeyRef': {'name': self.pick(SECRETS), 'key': 'k', 'optional': True}}}
        if k < 0.98:
            return {'name': name, 'valueFrom': {'resourceFieldRef': {'resource': 'limits.cpu'}}}
        return {'name': name}

    def volume(self, name):
        k = self.r.random()
        if k < (0.75 if self.tight else 0.5):
            return {'name': name, 'emptyDir': {}}
        if k < 0.6:
            return {'name': name, 'emptyDir': {'medium': 'Memory'}}
        if k < 0.8:
            return {'name': name, 'configMap': {'name': self.pick(CMS)}}
        if k < 0.9:
            return {'name': name, 'secret': {'secretName': self.pick(SECRETS)}}
        if k < 0.95:
            return {'name': name, 'persistentVolumeClaim': {'claimName': 'pvc'}}
        return {'name': name, 'projected': {'sources': [{'configMap': {'name': self.pick(CMS)}}]}}

    def mounts(self, vols, lo, hi):
        out = []
        if not vols:
            return out
        seen = set()
        for p in self.sample(self.paths, lo, hi):
            if p.rstrip('/') in seen:
                continue
            seen.add(p.rstrip('/'))
            m = {'name': self.pick(vols), 'mountPath': p}
            if self.chance(0.15):
                m['readOnly'] = True
            if self.chance(0.08):
                m['subPath'] = 's'
            elif self.chance(0.03):
                m['subPathExpr'] = '$(A)'
            out.append(m)
        return out

    def ports(self, lo, hi):
        out, names = [], self.r.sample(PORTNAMES, len(PORTNAMES))
        for n in self.sample(PORTNUMS, lo, hi):
            p = {'containerPort': n}
            if names and self.chance(0.5):
                p = {'name': names.pop(), 'containerPort': n}
            if self.chance(0.15):
                p['protocol'] = self.pick(['TCP', 'UDP'])
            if self.chance(0.04):
                p['hostPort'] = n
            out.append(p)
        return out

    def resources(self):
        req, lim = {}, {}
        for k, vs in (('cpu', ['100m', '0.1', '500m']), ('memory', ['64Mi', '128Mi', '0.5Gi'])):
            if self.chance(0.7):
                req[k] = self.pick(vs)
            if self.chance(0.4):
                lim[k] = {'cpu': '1', 'memory': '1Gi'}[k]
        out = {}
        if req:
            out['requests'] = req
        if lim:
            out['limits'] = lim
        return out

    def probe(self):
        return self.pick([{'httpGet': {'path': '/', 'port': self.pick([8080, 'http'])}}, {'tcpSocket': {'port': 80}, 'periodSeconds': 5},
                          {'exec': {'command': ['true']}}])

    def extras(self, c, p):
        if self.chance(p):
            c['securityContext'] = self.pick([{'runAsUser': 1000}, {'runAsNonRoot': True, 'allowPrivilegeEscalation': False}, {'privileged': True},
                                              {'capabilities': {'drop': ['ALL']}}])
        if self.chance(p):
            c['imagePullPolicy'] = self.pick(['Always', 'IfNotPresent'])
        if self.chance(p / 2):
            c['terminationMessagePath'] = '/dev/x'
        if self.chance(p / 2):
            c['lifecycle'] = {'preStop': {'exec': {'command': ['sleep', '5']}}}
        if self.chance(p / 2):
            c['workingDir'] = '/w'

    # Manifests.

    def app_container(self, name, vols, init=False):
        c = {'name': name, 'image': self.pick(IMAGES)}
        if self.chance(0.2):
            c['command'] = ['sh', '-c', self.pick(['echo hi', 'exec "$0"', 'a: b'])] if self.chance(0.8) else ['sh', '-c', Block('set -e\nexec app\n')]
        if self.chance(0.15):
            c['args'] = ['--a', '--b=1']
        if self.chance(0.55):
            names = self.sample(self.envs + self.joined, 0, 5)
            c['env'] = [self.env_entry(n, True) for n in names]
            if names and self.chance(0.03):
                c['env'].append(self.env_entry(names[0], True))
        if self.chance(0.15):
            c['envFrom'] = [self.pick([{'configMapRef': {'name': self.pick(CMS)}}, {'secretRef': {'name': self.pick(SECRETS)}, 'prefix': 'X_'}])]
        if not init and self.chance(0.5):
            c['ports'] = self.ports(0, 2)
        if self.chance(0.45):
            c['volumeMounts'] = self.mounts(vols, 0, 3)
        if vols and self.chance(0.04):
            c['volumeDevices'] = [{'name': vols[0], 'devicePath': self.pick(['/dev/a', '/dev/b'])}]
            c['volumeMounts'] = [m for m in c.get('volumeMounts', []) if m['name'] != vols[0]]
        if self.chance(0.4):
            c['resources'] = self.resources()
        if not init and self.chance(0.15):
            c[self.pick(['livenessProbe', 'readinessProbe'])] = self.probe()
        self.extras(c, 0.1)
        if self.chance(0.02):
            del c['image']
        if self.chance(0.04):
            c[self.pick(['env', 'volumeMounts', 'envFrom', 'resources', 'ports'])] = self.pick([None, None, []])
            if c.get('resources') == []:
                c['resources'] = {}
        return c

    def sidecar_like(self, payloads):
        """A container that equals one of the payload, more or less."""
        c = copy.deepcopy(self.pick(payloads))
        for k in ('mode', 'podInjectPolicy', 'before', 'after', 'allowOverride', 'shareVolumePolicy', 'shareVolumeDevicePolicy', 'transferEnv', 'resourcesPolicy'):
            c.pop(k, None)
        k = self.r.random()
        if k < 0.3:
            c['image'] = 'other:2'
        elif k < 0.6:
            c['env'] = c.get('env', []) + [{'name': 'HAND', 'value': 'x'}]
        elif k < 0.75:
            c = {'name': c['name'], 'image': c['image']}
        elif k < 0.85:
            for f in self.sample(list(c), 0, 3):
                if f not in ('name',):
                    del c[f]
            if self.chance(0.5):
                c['ports'] = self.ports(0, 2)
            if self.chance(0.5):
                c['env'] = [self.env_entry(n, True) for n in self.sample(self.envs, 0, 3)]
            if self.chance(0.3):
                c['resources'] = self.resources()
        elif k < 0.9:
            keys = list(c)
            self.r.shuffle(keys)
            c = {f: c[f] for f in keys}
        return c

    def pod_spec(self, kind, payloads):
        vols = self.sample(self.vols, 0, 3)
        names = self.names(APP_NAMES, APP_W, self.r.choice([1, 1, 1, 2, 2, 3]))
        spec = {}
        conts = [self.app_container(n, vols) for n in names]
        inits = []
        if kind != 'KService':
            for n in self.sample(INIT_NAMES, 0, 2) if self.chance(0.35) else []:
                c = self.app_container(n, vols, True)
                if self.chance(0.3):
                    c['restartPolicy'] = 'Always'
                inits.append(c)
        if payloads and self.chance(self.collide):
            c = self.sidecar_like(payloads)
            if c['name'] not in names and '$' not in c['name']:
                if self.chance(0.5) and kind != 'KService':
                    c['restartPolicy'] = 'Always'
                    inits.append(c)
                else:
                    conts.append(c)
        if self.chance(0.1):
            spec['serviceAccountName'] = self.pick(['web', 'sa'])
        if self.chance(0.08):
            spec['terminationGracePeriodSeconds'] = 30
        if self.chance(0.08):
            spec['securityContext'] = {'runAsUser': 5, 'fsGroup': 6} if self.chance(0.5) else {'seccompProfile': {'type': 'RuntimeDefault'}}
        if self.chance(0.06):
            spec['nodeSelector'] = {'disk': self.pick(['ssd', 'hdd'])}
        if self.chance(0.06):
            spec['tolerations'] = [{'key': 'x', 'operator': 'Exists'}]
        if self.chance(0.06):
            spec['hostAliases'] = [{'ip': '127.0.0.1', 'hostnames': ['a.local']}]
        if self.chance(0.1):
            spec['imagePullSecrets'] = [{'name': n} for n in self.sample(SECRETS, 0, 2)]
        if self.chance(0.04):
            spec['affinity'] = {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [{'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}]}}}
        if self.chance(0.04):
            spec['dnsConfig'] = {'options': [{'name': self.pick(['ndots', 'timeout']), 'value': '3'}]}
        if self.chance(0.03):
            spec['topologySpreadConstraints'] = [{'maxSkew': 2, 'topologyKey': self.pick(['zone', 'host']), 'whenUnsatisfiable': 'ScheduleAnyway'}]
        if self.chance(0.03):
            spec['schedulingGates'] = [{'name': self.pick(['g', 'h'])}]
        if self.chance(0.03):
            spec['priorityClassName'] = self.pick(['high', 'low'])
        if self.chance(0.05) and kind != 'KService':
            spec['hostNetwork'] = self.pick([True, True, False])
        if self.chance(0.07):
            spec['resources'] = self.pick([{'requests': {'cpu': '500m'}, 'limits': {'cpu': 2}}, {'limits': {'memory': '1Gi'}},
                                           {'requests': {'cpu': '1', 'memory': '1Gi'}, 'limits': {'cpu': '1', 'memory': '1Gi'}}])
        if kind in ('Job', 'CronJob'):
            spec['restartPolicy'] = self.pick(['Never', 'OnFailure'])
        elif self.chance(0.05):
            spec['restartPolicy'] = 'Always'
        parts = [('containers', conts)]
        if inits or self.chance(0.02):
            parts.append(('initContainers', inits))
        if vols and self.chance(0.97) or self.chance(0.04):
            parts.append(('volumes', [self.volume(v) for v in vols]))
        if self.chance(0.05):
            k = self.pick(['volumes', 'initContainers', 'imagePullSecrets', 'tolerations', 'nodeSelector', 'securityContext', 'hostAliases'])
            if k not in dict(parts) and k not in spec:
                spec[k] = None if self.chance(0.4) else {} if k in ('nodeSelector', 'securityContext') else []
        self.r.shuffle(parts)
        if self.chance(0.5):
            spec = dict(parts) | spec
        else:
            spec.update(parts)
        return spec

    def pod_meta(self, n, payloads):
        labels = {'app': self.pick(['web', 'api'])}
        if self.chance(0.5):
            labels['tier'] = self.pick(['web', 'db'])
        if self.chance(0.1):
            labels['main'] = self.pick(['web', 'app'])
        if self.chance(0.05):
            labels['observed'] = 'false'
        ann = {}
        if self.chance(0.08):
            ann['pillion.dev/inject'] = self.pick(['true', 'false', 'envoy', 'logs', 'envoy,logs', 'yes', 'flase'])
        if self.chance(0.1):
            ann['example.com/a'] = self.pick(['1', 'x', 'true'])
        if self.chance(0.15):
            ann['example.com/json'] = self.pick(['{"a":1}', '{"a": {"b": 2}, "c": []}', '{}', 'no json', Block('{\n  "a": 1\n}\n')])
        if self.chance(0.04):
            ann['kubectl.kubernetes.io/default-container'] = self.pick(['web', 'app', 'proxy'])
        if payloads and self.chance(0.12):
            c = self.pick(payloads)
            f, v = self.pick([('image', 'mine:2'), ('resources.requests.cpu', '200m'), ('securityContext.runAsUser', '7'), ('imagePullPolicy', 'Never'),
                              ('resources.requests.cpu', 'lots'), ('workingDir', '/x')])
            if '$' not in c['name']:
                ann['pillion.dev/%s.%s' % (c['name'], f)] = v
        meta = {'labels': labels}
        if ann or self.chance(0.08):
            meta['annotations'] = ann or self.pick([None, {}])
        return meta

    def workload(self, n, payloads):
        kind = self.r.choices(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Pod', 'KService', 'ReplicaSet', 'Rollout', 'PodTemplate', 'RayCluster'],
                              [30, 12, 6, 6, 6, 8, 5, 4, 3, 2, 2])[0]
        name = '%s-%d' % (self.pick(['web', 'api', 'job']), n)
        meta = {'name': name}
        ns = self.pick(NAMESPACES)
        if ns:
            meta['namespace'] = ns
        if self.chance(0.2):
            meta['labels'] = {'app': 'web', 'tier': self.pick(['web', 'db'])}
        if self.chance(0.04):
            meta['annotations'] = {'helm.sh/hook': 'pre-install'}
        pm, ps = self.pod_meta(n, payloads), self.pod_spec(kind, payloads)
        tmpl = {'metadata': pm, 'spec': ps}
        if self.chance(0.04) and kind not in ('Pod',):
            tmpl = {'spec': ps}
            pm = {'labels': {'app': 'web'}}
        sel = {'matchLabels': {'app': pm['labels']['app']}}
        self.alias_some(ps, sel if kind in ('Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Rollout') and 'metadata' in tmpl else None, pm)
        if kind == 'Pod':
            return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {**meta, **pm}, 'spec': ps}
        if kind == 'KService':
            return {'apiVersion': 'serving.knative.dev/v1', 'kind': 'Service', 'metadata': meta, 'spec': {'template': tmpl}}
        if kind == 'Job':
            return {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': meta, 'spec': {'template': tmpl}}
        if kind == 'CronJob':
            return {'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': meta, 'spec': {'schedule': '* * * * *', 'jobTemplate': {'spec': {'template': tmpl}}}}
        if kind == 'PodTemplate':
            return {'apiVersion': 'v1', 'kind': kind, 'metadata': meta, 'template': tmpl}
        if kind == 'RayCluster':
            return {'apiVersion': 'ray.io/v1', 'kind': kind, 'metadata': meta, 'spec': {'headGroupSpec': {'template': tmpl}}}
        api = 'argoproj.io/v1alpha1' if kind == 'Rollout' else 'apps/v1'
        spec = {'selector': sel, 'template': tmpl}
        if kind in ('Deployment', 'ReplicaSet') and self.chance(0.4):
            spec = {'replicas': self.r.randint(0, 3), **spec}
        if kind == 'StatefulSet':
            spec['serviceName'] = 'web'
            if self.chance(0.3):
                v = self.pick(self.vols)
                vs = ps.get('volumes')
                if isinstance(vs, list) and v not in [x['name'] for x in vs]:
                    spec['volumeClaimTemplates'] = [{'metadata': {'name': v}, 'spec': {'accessModes': ['ReadWriteOnce']}}]
        return {'apiVersion': api, 'kind': kind, 'metadata': meta, 'spec': spec}

    def alias_some(self, ps, sel, pm):
        self.aliased = False
        if not self.chance(0.06):
            return
        self.aliased = True
        cs = ps['containers']
        k = self.r.random()
        if k < 0.4 and len(cs) > 1:
            f = self.pick(['env', 'resources', 'volumeMounts', 'ports'])
            if cs[0].get(f):
                a = Anchor('x', cs[0][f])
                cs[0][f] = a
                cs[1][f] = Alias(a) if isinstance(a.value, list) or self.chance(0.5) else Merge(a, {})
                if isinstance(cs[1][f], Merge):
                    cs[1][f] = Alias(a)
        elif k < 0.8 and sel:
            a = Anchor('l', sel['matchLabels'])
            sel['matchLabels'] = a
            more = {x: y for x, y in pm['labels'].items() if x != 'app'}
            pm['labels'] = Merge(a, more) if more else Alias(a)
        else:
            a = Anchor('i', cs[0].get('image', 'x'))
            cs[0]['image'] = a
            if len(cs) > 1:
                cs[1]['image'] = Alias(a)

    def style(self):
        k = self.r.random()
        if k < 0.5:
            return 'plain', plain_style() | dict(seq=self.pick([0, 0, 2]), comments=self.pick([0, 0.05]), tails=self.pick([0, 0.08]), blanks=self.pick([0, 0, 0.03]),
                                                 quotes=self.pick([0, 0.3]))
        if k < 0.6:
            step = self.pick([2, 3, 4])
            return 'odd', plain_style() | dict(step=step, seq=self.pick([0, 2, step]), dash=self.pick([1, 3]), comments=0.05)
        if k < 0.72:
            return 'weird', plain_style() | dict(flow=self.pick([0, 0, 0.2]), seq=self.pick([0, 2]), weird=self.pick([0.1, 0.3]), comments=self.pick([0, 0.06, 0.15]), blanks=0.03,
                                                 tails=0.08)
        if k < 0.95:
            return 'flow', plain_style() | dict(flow=self.pick([0.15, 0.4, 0.8]), seq=self.pick([0, 2]), quotes=self.pick([0, 0.2]))
        return 'json', plain_style()

    def odd(self, obj):
        """Objects that few people have."""
        k = self.r.randrange(14)
        if k < 2 and self.calm:  # such objects make the first binary panic
            return
        top, pod = obj.get('metadata', {}), None
        spec = obj.get('spec')
        pod = spec.get('template') if isinstance(spec, dict) else None
        if k == 0:
            obj['status'] = {'replicas': 1}
        elif k == 1:
            top['annotations'] = {'config.kubernetes.io/local-config': 'true'}
        elif k == 2:
            top['annotations'] = {'pillion.dev/inject': self.pick(['true', 'false'])}
        elif k == 3 and pod:
            pod['spec']['containers'] = self.pick([[], None])
        elif k == 4 and pod:
            pod['spec'].pop('containers')
        elif k == 5 and pod:
            del spec['template']
        elif k == 6:
            top['deletionTimestamp'] = '2024-01-01T00:00:00Z'
        elif k == 7 and obj['apiVersion'] == 'apps/v1':
            obj['apiVersion'] = self.pick(['extensions/v1beta1', 'apps/v1beta1', 'v1'])
        elif k == 8 and pod and 'metadata' in pod:
            pod['metadata']['annotations'] = {'sidecar.istio.io/inject': 'true'}
        elif k == 9 and pod:
            pod['spec']['ephemeralContainers'] = [{'name': 'proxy', 'image': 'debug:1'}]
        elif k == 10 and pod and isinstance(pod['spec'].get('containers'), list):
            pod['spec']['containers'][0].pop('name')
        elif k == 11 and pod and isinstance(pod['spec'].get('containers'), list):
            pod['spec']['containers'][0][self.pick(['env', 'volumeMounts', 'ports'])] = 'text'
        elif k == 12 and obj.get('kind') == 'Rollout':
            spec['workloadRef'] = {'kind': 'Deployment', 'name': 'web'}
        elif k == 13 and pod and 'metadata' in pod:
            pod['metadata'].setdefault('annotations', None)
            pod['metadata']['annotations'] = {**(pod['metadata']['annotations'] or {}), 'initializer.kubernetes.io/envoy': 'true',
                                              'pillion.dev/injected-logs': self.pick(['1 c(proxy:abcdef) xxxxxx', 'broken', ''])}

    def manifests(self, count, payloads):
        """A list of documents, each {name, style, text, obj}."""
        docs = []
        for n in range(count):
            obj = self.workload(n, payloads)
            sname, style = self.style()
            text = None
            if self.chance(0.04) and not self.aliased:
                self.odd(obj)
            if isinstance(obj.get('kind'), str) and obj['kind'] != 'Pod' and self.chance(0.03):
                obj = {'apiVersion': 'v1', 'kind': 'List', 'items': [obj]}
            if sname == 'json':
                text = json.dumps(resolve(obj), indent=self.pick([None, 2, 4])) + '\n'
            else:
                text = Writer(self.r, style).document(obj)
                if self.chance(0.05):
                    text = '# top\n' + text
                if self.chance(0.03):
                    text = text + '# end\n'
                if self.aliased and '*' in text:
                    sname = 'alias'
            if self.chance(0.01):
                text = text.replace('\n', '\r\n')
                sname = 'crlf'
            docs.append({'n': n, 'style': sname, 'text': text, 'obj': resolve(obj)})
        extra = []
        if self.chance(0.5):
            extra.append('apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  labels:\n    mesh: enabled\n')
        if self.chance(0.4):
            extra.append('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app-config\ndata:\n  k: v\n')
        if self.chance(0.03):
            extra.append('apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  labels:\n    mesh: disabled\n')
        for t in extra:
            docs.append({'n': -1, 'style': 'plain', 'text': t, 'obj': yaml.safe_load(t)})
        return docs

    # Configs.

    def var(self, s):
        return self.pick(['${workload.name}', '${workload.kind}', "${pod.labels['app']}", "${pod.labels['tier']:-none}", '${container.name}', '${container.port:-8080}',
                          "${pod.annotations['example.com/a']:-d}", '${workload.namespace:-default}', '${container.image}', '$${HOME}', '${container.port}'][:10 if self.chance(0.9) else 11])

    def payload_container(self, name, vols, init, others):
        c = {'name': name, 'image': self.pick(['proxy:1', 'logs:1', 'agent:1', 'fluent/fluent-bit:3.2.4'])}
        taken = set()
        if self.chance(0.12):
            c['image'] = 'reg/%s:%s' % (name, self.pick(["${pod.annotations['example.com/v']:-1}", "${pod.labels['app']}", '1']))
        if self.chance(0.3):
            c['args'] = ['--x', self.var('') if self.chance(0.6) else 'y']
        if self.chance(0.45):
            c['env'] = [self.env_entry(n, False) for n in self.sample(self.envs + self.joined, 1, 3)]
            for e in c['env']:
                if 'value' in e and self.chance(0.15):
                    e['value'] = self.var('')
                if 'valueFrom' in e and 'resourceFieldRef' in e['valueFrom']:
                    e.pop('valueFrom')
                    e['value'] = 'r'
        if not init and self.chance(0.35):
            c['ports'] = self.ports(1, 2)
            for p in c['ports']:
                p.pop('hostPort', None)
        if self.chance(0.4) and vols:
            c['volumeMounts'] = self.mounts(vols, 1, 2)
        elif self.chance(0.08):
            c['volumeMounts'] = self.mounts(self.vols, 1, 1)
        for m in c.get('volumeMounts', []):
            m.pop('subPathExpr', None)
        if self.chance(0.3):
            c['resources'] = self.resources()
        if self.chance(0.15) and not init:
            c['readinessProbe'] = self.pick([{'tcpSocket': {'port': 8080}}, {'httpGet': {'path': '/', 'port': '${container.port:-80}'}}])
        self.extras(c, 0.07)
        if not init and self.chance(0.5):
            c['mode'] = self.r.choices(['Auto', 'Native', 'Container'], [1, 3, 5])[0]
        if init and self.chance(0.2):
            c['restartPolicy'] = 'Always'
        k = self.r.random()
        if k < 0.12:
            c['podInjectPolicy'] = self.pick(['AfterAppContainer', 'BeforeAppContainer'])
        if 0.08 < k < 0.25:
            pool = INIT_NAMES if init or c.get('mode') in (None, 'Native', 'Auto') else ['web', 'app', 'proxy', 'logs']
            o = self.pick(pool)
            if o != name:
                c[self.pick(['before', 'after'])] = o
        if self.chance(0.15):
            c['allowOverride'] = self.sample(['image', 'resources.requests.cpu', 'securityContext.runAsUser', 'imagePullPolicy'], 1, 3)
        if self.chance(0.15):
            p = {'type': self.pick(['enabled', 'enabled', 'disabled'])}
            if self.chance(0.3):
                p['containers'] = self.sample(['web', 'app', 'setup'], 1, 2)
            if self.chance(0.3):
                p['excludePaths'] = self.sample(['/tmp', '/data'], 1, 2)
            if self.chance(0.25):
                p['includeInjected'] = True
            if p['type'] == 'disabled':
                p = {'type': 'disabled'}
            c['shareVolumePolicy'] = p
            if self.chance(0.2):
                c['shareVolumeDevicePolicy'] = {'type': 'enabled'}
        if self.chance(0.17):
            l = []
            for _ in range(self.r.randint(1, 2)):
                t = {}
                if self.chance(0.85):
                    t['sourceContainerName'] = self.pick(['web', 'app', 'web', 'app', 'proxy', 'setup'])
                    if t['sourceContainerName'] == name:
                        t['sourceContainerName'] = 'web'
                else:
                    t['sourceContainerNameFrom'] = {'fieldRef': {'fieldPath': "metadata.labels['main']"}}
                j = self.r.random()
                if j < 0.4:
                    t['envName'] = self.pick(self.envs + self.joined)
                elif j < 0.7:
                    t['envNames'] = self.sample(self.envs, 1, 3)
                if t not in l:
                    l.append(t)
            c['transferEnv'] = l
        if self.chance(0.12):
            c.pop('resources', None)
            ex = {}
            if self.chance(0.8):
                ex['requests'] = {'cpu': self.pick(['max(cpu*10%, 50m)', 'cpu/2', 'cpu + 10m', '(cpu - 100m) * 2'])}
            if self.chance(0.4) or not ex:
                ex.setdefault('requests', {})['memory'] = self.pick(['min(memory/4, 256Mi)', '64Mi', 'memory*0.5'])
            if self.chance(0.2):
                ex['limits'] = {'memory': self.pick(['max(memory, 1Gi)', '2Gi'])}
            p = {'resourcesExpr': ex}
            if self.chance(0.5):
                p['targetContainersMode'] = self.pick(['sum', 'max'])
            if self.chance(0.3):
                p['targetContainersNameRegex'] = self.pick(['^web$', 'app', '.*'])
            c['resourcesPolicy'] = p
        return c

    def app_entry(self, vols):
        e = {}
        if self.chance(0.4):
            e['containers'] = self.pick([['web'], ['app'], ['*'], ['web', 'app'], ['setup']])
        if self.chance(0.25):
            e['includeInit'] = True
        if self.chance(0.8):
            env = []
            for n in self.sample(self.envs, 0, 3):
                x = self.env_entry(n, False)
                if 'valueFrom' in x and 'resourceFieldRef' in x['valueFrom']:
                    x = {'name': n, 'value': 'r'}
                if self.chance(0.12) and 'value' in x:
                    x['value'] = self.var('')
                env.append(x)
            for n in self.sample(self.joined, 0, 2) if self.chance(0.5) else []:
                x = {'name': n, 'value': self.pick(JOIN_VALS[n])}
                if self.chance(0.85):
                    x['join'] = JOIN_SEP[n]
                    if self.chance(0.3):
                        x['joinOrder'] = self.pick(['After', 'Before'])
                    if self.chance(0.15):
                        env.append({'name': n, 'value': self.pick(JOIN_VALS[n]) + 'z', 'join': JOIN_SEP[n]})
                env.append(x)
            if env:
                e['env'] = env
                if self.chance(0.4):
                    e['envPosition'] = self.pick(['Prepend', 'Append'])
        if self.chance(0.2):
            e['envFrom'] = [self.pick([{'configMapRef': {'name': self.pick(CMS)}}, {'secretRef': {'name': self.pick(SECRETS)}, 'prefix': 'X_'}])]
        if self.chance(0.3) and vols:
            e['volumeMounts'] = self.mounts(vols, 1, 2)
            for m in e['volumeMounts']:
                m.pop('subPathExpr', None)
        if not any(k in e for k in ('env', 'envFrom', 'volumeMounts')):
            e['env'] = [{'name': 'A', 'value': 'x'}]
        return e

    def spec(self, strict=False):
        r, s = self.r, {}
        vols = self.sample(self.vols, 1, 2) if self.chance(0.5) else []
        if self.chance(0.75):
            s['containers'] = []
            for n in self.names(SIDE_NAMES, SIDE_W, r.choice([1, 1, 1, 2])):
                s['containers'].append(self.payload_container(n, vols, False, None))
            if self.chance(0.03):
                s['containers'][0]['name'] = "x-${pod.labels['app']}"
        if self.chance(0.22):
            s['initContainers'] = [self.payload_container(n, vols, True, None) for n in self.sample(INIT_NAMES, 1, 2)]
            for c in s['initContainers']:
                c.pop('mode', None)
                if 'restartPolicy' not in c:
                    c.pop('lifecycle', None)
        if vols:
            s['volumes'] = [self.volume(v) for v in vols]
            if self.chance(0.1) and 'configMap' in s['volumes'][0]:
                s['volumes'][0]['configMap']['name'] = "x-${pod.labels['app']}"
        if self.chance(0.12):
            s['imagePullSecrets'] = [{'name': n} for n in self.sample(SECRETS, 1, 2)]
        if self.chance(0.35):
            s['appContainers'] = [self.app_entry(vols) for _ in range(r.choice([1, 1, 2]))]
        if self.chance(0.25):
            l, used = [], set()
            for _ in range(r.choice([1, 1, 2])):
                p, pol = {}, self.pick(['Retain', 'Overwrite', 'MergePatchJson', None])
                if pol == 'MergePatchJson':
                    if 'example.com/json' not in used:
                        p['annotations'] = {'example.com/json': self.pick(['{"x": 1}', '{"a": null}', '{"a": {"b": 3}}', '{"a":1}'])}
                        used.add('example.com/json')
                else:
                    for k, v in ((self.pick(['example.com/b', 'example.com/json', 'prometheus.io/scrape']), self.pick(['x', 'true', '{"a":1}'])),):
                        if k not in used:
                            p['annotations'] = {k: v}
                            used.add(k)
                    if self.chance(0.4) and 'observed' not in used:
                        p['labels'] = {'observed': 'true'}
                        used.add('observed')
                if p:
                    if pol:
                        p['patchPolicy'] = pol
                    l.append(p)
            if l:
                s['patchPodMetadata'] = l
        if self.chance(0.2):
            p = {}
            for k, v in self.sample([('priorityClassName', 'high'), ('serviceAccountName', 'sa'), ('hostAliases', [{'ip': '127.0.0.1', 'hostnames': ['b.local']}]),
                                     ('tolerations', [{'key': 'x', 'operator': 'Exists'}, {'key': 'y'}]), ('nodeSelector', {'disk': 'ssd', 'zone': 'a'}),
                                     ('securityContext', {'fsGroup': 7, 'seccompProfile': {'type': 'RuntimeDefault'}}), ('terminationGracePeriodSeconds', 60),
                                     ('schedulingGates', [{'name': 'g'}]), ('dnsPolicy', 'ClusterFirst'), ('dnsConfig', {'options': [{'name': 'ndots', 'value': '2'}]}),
                                     ('shareProcessNamespace', True), ('serviceAccount', 'sa'), ('resources', {'requests': {'cpu': '2'}}), ('enableServiceLinks', False),
                                     ('affinity', {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [{'matchExpressions': [{'key': 'b', 'operator': 'Exists'}]}]}},
                                                   'podAntiAffinity': {'preferredDuringSchedulingIgnoredDuringExecution': [{'weight': 1, 'podAffinityTerm': {'topologyKey': 'zone'}}]}}),
                                     ('hostname', 'h-${workload.name}'), ('runtimeClassName', 'gvisor'), ('dnsConfig', {'nameservers': ['1.1.1.1'], 'searches': ['a.b']}),
                                     ('topologySpreadConstraints', [{'maxSkew': 1, 'topologyKey': 'zone', 'whenUnsatisfiable': 'ScheduleAnyway'}])], 1, 2):
                p[k] = copy.deepcopy(v)
            s['podSpec'] = p
        if not s:
            s['containers'] = [self.payload_container('proxy', [], False, None)]
        if self.chance(0.2):
            s['selector'] = self.pick([{'matchLabels': {'tier': 'web'}}, {'matchExpressions': [{'key': 'tier', 'operator': 'In', 'values': ['web', 'db']}]},
                                       {'matchLabels': {'app': 'web'}}])
            if self.chance(0.3):
                s['selectorScope'] = self.pick(['PodTemplate', 'Workload', 'Any'])
        if self.chance(0.04):
            s['neverInjectSelector'] = [{'matchLabels': {'tier': 'db'}}]
        if self.chance(0.06):
            s['namespaces'] = self.pick([{'include': ['shop', 'team-*']}, {'exclude': ['billing']}])
        if self.chance(0.04):
            s['namespaceSelector'] = {'matchLabels': {'mesh': 'enabled'}}
            if self.chance(0.6):
                s['namespaceLabels'] = {'billing': {'mesh': 'enabled'}}
        if self.chance(0.05):
            s['defaultNamespace'] = 'shop'
        if self.chance(0.05):
            s['names'] = ['web-.*', 'api-1']
        if self.chance(0.04):
            s['excludeNames'] = ['job-.*']
        if self.chance(0.05):
            s['rules'] = [{'apiGroups': ['apps', ''], 'apiVersions': ['*'], 'resources': ['deployments', 'statefulsets', 'pods']}]
        if self.chance(0.04):
            s['policy'] = 'disabled'
        if self.chance(0.03):
            s['marker'] = 'example.com/inject'
        if self.chance(0.5):
            s['workloads'] = [{'group': 'ray.io', 'kind': 'RayCluster', 'podTemplates': ['spec.headGroupSpec.template']}]
        oc = {}
        for f, vs in (('container', ['Error', 'Keep', 'Merge', 'Replace']), ('volume', ['Error', 'Keep', 'Replace']), ('port', ['Error', 'Keep']),
                      ('env', ['Error', 'Keep', 'Replace']), ('mountPath', ['Error', 'Keep', 'Replace'])):
            if self.chance(0.55):
                oc[f] = self.pick(vs[1:] if self.chance(0.8) else vs)
        if self.easy:
            for f, vs in (('container', ['Keep', 'Merge', 'Replace']), ('volume', ['Keep', 'Replace']), ('port', ['Keep']), ('env', ['Keep', 'Replace']),
                          ('mountPath', ['Keep', 'Replace'])):
                if oc.get(f, 'Error') == 'Error' and self.chance(0.9):
                    oc[f] = self.pick(vs)
        if oc:
            s['onConflict'] = oc
        if self.chance(0.25):
            s['onDrift'] = self.pick(['Overwrite', 'Keep', 'Error'])
        if not strict and self.chance(0.08):
            s['adopt'] = True
        if not strict and self.chance(0.06):
            s['stamp'] = 'None'
            s.pop('onDrift', None)
        for f, p, vs in (('jobs', 0.1, ['Native', 'Skip', 'Error', 'Inject']), ('hostNetwork', 0.1, ['Inject', 'Skip', 'Error']), ('helmHooks', 0.08, ['Inject', 'Skip', 'Error']),
                         ('podResources', 0.2, ['Grow', 'Share', 'Error'])):
            if self.chance(p):
                s[f] = self.pick(vs)
        if s.get('jobs') == 'Inject' and self.chance(0.9):
            s['kubernetesVersion'] = '1.28'
        elif self.chance(0.12):
            s['kubernetesVersion'] = self.pick(['1.28', '1.33', '1.35', '1.38'])
        if self.chance(0.06):
            s['checks'] = self.pick([{'podSecurity': 'restricted'}, {'podSecurity': 'baseline'}, {'requireResources': 'Warn'}, {'requireDigest': 'Warn'}, {'requireResources': 'Error'}])
        if self.chance(0.05):
            s['report'] = self.pick(['Info', 'Error'])
        if self.chance(0.02):
            s['paused'] = True
        if not strict and self.chance(0.02):
            s['action'] = self.pick(['Remove', 'Remove', 'Verify'])
        if self.chance(0.02):
            s['expect'] = self.pick([{'min': 1}, {'max': 30}, {'max': 2}])
        if self.chance(0.02) and 'selector' not in s and 'pod.labels' not in str(s):
            s['patchPodMetadata'] = [{'labels': {'app': 'x'}, 'patchPolicy': 'Overwrite'}]
        if self.chance(0.02) and s.get('containers'):
            s['containers'][0]['newField'] = 1
            s['kubernetesVersion'] = '1.38'
        if self.chance(0.02) and s.get('containers'):
            s['containers'][0]['before'] = 'web'
            s['containers'][0].pop('after', None)
        if self.chance(0.02) and s.get('containers') and 'resources' not in s['containers'][0]:
            s['containers'][0]['resourcesPolicy'] = {'resourcesExpr': {'requests': {'cpu': '1/cpu'}, 'limits': {'cpu': '200m'}}}
        if self.chance(0.02) and s.get('containers'):
            s['containers'][0]['name'] = "x-${pod.annotations['example.com/a']:-UP}"
        if self.chance(0.004):
            s[self.pick(['volumez', 'bogus'])] = 1
        if s.get('kubernetesVersion') == '1.28':
            for c in s.get('containers', []):
                if c.get('mode') == 'Native':
                    c.pop('mode')
            for c in s.get('initContainers', []):
                c.pop('restartPolicy', None)
            if s.get('podSpec'):
                s['podSpec'].pop('hostnameOverride', None)
        return s

    def injectors(self, strict=False):
        names = self.r.sample(INJECTORS, self.r.choices([1, 2, 3, 4], [5, 4, 2, 1])[0])
        out = [self.injector(n, strict) for n in names]
        if self.chance(0.6):  # Sidecars with names of their own, so that several injectors get along more often.
            for i in out:
                for n, c in enumerate(i.get('spec', {}).get('containers', [])):
                    if '$' not in c['name']:
                        c['name'] = '%s-%d' % (i['metadata']['name'], n)
                for n, c in enumerate(i.get('spec', {}).get('initContainers', [])):
                    c['name'] = '%s-init-%d' % (i['metadata']['name'], n)
        return out

    def injector(self, name, strict=False):
        s = self.spec(strict)
        if not strict and self.chance(0.04):
            keep = {k: s[k] for k in ('containers', 'initContainers', 'volumes', 'imagePullSecrets') if k in s}
            if keep:
                data = {'config': yaml.safe_dump(keep, sort_keys=False)}
                for k in ('policy', 'selector', 'onConflict'):
                    if k in s:
                        data[k] = yaml.safe_dump(s[k]).replace('...\n', '')
                return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name + '-initializer'}, 'data': data}
        return {'apiVersion': 'pillion.dev/v1alpha1', 'kind': 'SidecarInjector', 'metadata': {'name': name}, 'spec': s}

    def mutate(self, inj):
        """Another version of the config, of the same name."""
        inj = copy.deepcopy(inj)
        if inj['kind'] != 'SidecarInjector':
            return inj
        new = self.spec(True)
        s = inj['spec']
        for _ in range(self.r.randint(1, 3)):
            k = self.r.random()
            cs = s.get('containers', []) + s.get('initContainers', [])
            if k < 0.3 and cs:
                c = self.pick(cs)
                c['image'] = 'new:%d' % self.r.randint(1, 3)
            elif k < 0.45 and cs:
                c = self.pick(cs)
                c['env'] = [self.env_entry(n, False) for n in self.sample(self.envs, 1, 3)]
                for e in c['env']:
                    if 'resourceFieldRef' in e.get('valueFrom', {}):
                        e.pop('valueFrom')
            elif k < 0.6 and len(cs) > 1 and len(s.get('containers', [])) > 1:
                s['containers'].reverse()
            elif k < 0.9:
                f = self.pick(['appContainers', 'patchPodMetadata', 'podSpec', 'imagePullSecrets', 'containers', 'initContainers', 'selector', 'onConflict', 'podResources'])
                if f in new:
                    s[f] = new[f]
                elif len(s) > 2:
                    s.pop(f, None)
            elif s.get('volumes'):
                s['volumes'] = [self.volume(v['name']) for v in s['volumes']]
        return inj


def payload_containers(injs):
    out = []
    for i in injs:
        if i['kind'] == 'SidecarInjector':
            out += i['spec'].get('containers', []) + i['spec'].get('initContainers', [])
    return out


def config_text(injs, as_list):
    if as_list and len(injs) > 1 and all(i['kind'] == 'SidecarInjector' for i in injs):
        return yaml.safe_dump({'apiVersion': 'pillion.dev/v1alpha1', 'kind': 'SidecarInjectorList', 'items': injs}, sort_keys=False)
    return '---\n'.join(yaml.safe_dump(i, sort_keys=False) for i in injs)


def stream(docs):
    return '---\n'.join(d['text'] for d in docs)
