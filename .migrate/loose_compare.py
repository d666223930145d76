import sys,re,collections,random,json,os
sys.argv=[sys.argv[0]]+sys.argv[1:]
import compare as C, gen, yaml
def clean(v):
    if isinstance(v,dict):
        for k in ('annotations',):
            a=v.get(k)
            if isinstance(a,dict):
                for x in [x for x in a if isinstance(x,str) and 'injected-' in x]: del a[x]
                if not a: v.pop(k)
        if v.get('metadata')=={} : v.pop('metadata')
        if v.get('metadata') is None and 'metadata' in v: v.pop('metadata')
        for x in v.values(): clean(x)
    elif isinstance(v,list):
        for x in v: clean(x)
def docs(out):
    try:
        r=list(yaml.load_all(out,C.LOADER))
    except Exception: return None
    for d in r: clean(d)
    return r
def norm(err):
    s=set()
    for l in err.split('\n'):
        m=re.search(r'\b(error|warning|info):? ([A-Z]\w+): (.*)',l)
        if not m: continue
        obj=re.search(r'(?:^|\s)([a-z]+/[\w.-]+)',l)
        s.add((m.group(1),m.group(2)))
    return s
def differ(ra,rb):
    for n,(a,b) in enumerate(zip(ra,rb)):
        if a==b: continue
        if C.panics(a): return None
        if C.panics(b): return 'panic',b[2][:300]
        ca,cb=norm(a[2]),norm(b[2])
        if a[0]!=b[0]: return 'exit %d->%d %s %s'%(a[0],b[0],sorted(ca-cb),sorted(cb-ca)),'step %d\n%s\n%s'%(n+1,'\n'.join(sorted(set(a[2].split('\n'))-set(b[2].split('\n'))))[:1200],'\nNEW '.join(['']+sorted(set(b[2].split('\n'))-set(a[2].split('\n'))))[:1200])
        if ca!=cb: return 'codes -%s +%s'%(sorted(ca-cb),sorted(cb-ca)),'step %d\n%s\n%s'%(n+1,'\n'.join(sorted(set(a[2].split('\n'))-set(b[2].split('\n'))))[:1200],'\nNEW '.join(['']+sorted(set(b[2].split('\n'))-set(a[2].split('\n'))))[:1200])
        if a[1]!=b[1]:
            da,db=docs(a[1]),docs(b[1])
            if da is None or db is None:
                f=lambda t: [re.sub(r':\d+:\d+','',x) for x in t.split('\n') if 'injected-' not in x and not x.startswith('@@')]; g=f; f=lambda t: [x.replace('the cause is what','the cause may be what') for x in g(t)]
                if f(a[1])==f(b[1]): continue
                i=[k for k,(x,y) in enumerate(zip(f(a[1]),f(b[1]))) if x!=y]
                return 'text','step %d %s'%(n+1, [(f(a[1])[k],f(b[1])[k]) for k in i[:2]])
            if da==db: continue
            sort(da); sort(db)
            if da==db:
                C.NOTES['order of init containers']+=1; return None
            for x,y in zip(da,db):
                if x!=y:
                    p=path(x,y)
                    return 'value '+re.sub(r'\d+','N',p[0]),'step %d %s: %s\n -> %s'%(n+1,p[0],p[1],p[2])
            return 'documents','step %d'%(n+1)
    return None
def sort(v):
    if isinstance(v,dict):
        l=v.get('initContainers')
        if isinstance(l,list) and all(isinstance(e,dict) for e in l): l.sort(key=lambda e: str(e.get('name')))
        for k,x in v.items():
            if k in ('startColumn','startLine'): v[k]=0
            elif k=='diff': v[k]=''
            elif isinstance(x,str): v[k]=x.replace('the cause is what','the cause may be what')
            else: sort(x)
    elif isinstance(v,list):
        for x in v: sort(x)
def path(x,y,at=''):
    if isinstance(x,dict) and isinstance(y,dict):
        for k in list(x)+[k for k in y if k not in x]:
            if x.get(k)!=y.get(k): return path(x.get(k),y.get(k),at+'.'+str(k))
    if isinstance(x,list) and isinstance(y,list):
        if x and all(isinstance(e,dict) and 'name' in e for e in x+y):
            nx,ny=[e['name'] for e in x],[e['name'] for e in y]
            if nx!=ny: return at+(' order' if sorted(map(str,nx))==sorted(map(str,ny)) else ' names'),nx,ny
        for i,(a,b) in enumerate(zip(x,y)):
            if a!=b: return path(a,b,at+'[%d]'%i)
    return at,json.dumps(x)[:300],json.dumps(y)[:300]
C.differ=differ
if __name__=='__main__': sys.exit(C.main())
