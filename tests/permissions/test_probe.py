import pytest, time, re
from tests.permissions.asking import Asking
from tests.permissions.routes import objects_of
from tests.permissions import site as S
MARKS={k:v for k,v in vars(S).items() if k.isupper() and isinstance(v,str) and " " not in v}
def test_probe(site):
    asking=Asking(site, objects_of(site))
    t=time.process_time(); n=0; out=[]; seen={}; wr={}
    for line in open('/tmp/rows.txt'):
        name, method, thing = line.strip().split(" ",2)
        cells=[]
        for role in S.ROLES:
            t1=time.process_time()
            try:
                a=asking.ask(role,name,method,thing)
            except Exception as e:
                cells.append("EXC"); print("EXC", line.strip(), role, repr(e)[:300]); continue
            n+=1; cells.append(a.status)
            for k,m in MARKS.items():
                if m in a.body.lower(): seen.setdefault((line.strip(),k),[]).append(role)
            if a.writes and a.status in ("403","404","login"): wr[(line.strip(),role)]=a.writes
            if time.process_time()-t1>0.6: print("SLOW", line.strip(), role, time.process_time()-t1)
        out.append(f"{name:42} {method:7} {thing:18}"+" ".join(f"{c:9}" for c in cells))
    print("\n".join(out)); print(n, time.process_time()-t)
    for k,v in seen.items(): print(k,v)
    print("WRITES"); 
    for k,v in wr.items(): print(k,[x[:160] for x in v])
