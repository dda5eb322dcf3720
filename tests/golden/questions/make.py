#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the 14 data sets. Seeded: python3 make.py  (same bytes every time)."""
import json, random, difflib, hashlib, csv, io, base64
from datetime import datetime, timedelta
SEED = 20261116
def R(n): return random.Random(SEED * 100 + n)
def put(name, text):
    with open(name, "w", encoding="utf-8", newline="") as f: f.write(text)
def iso(d): return d.strftime("%Y-%m-%dT%H:%M:%SZ")
FIRST = "Anna Jürgen Søren Zoë Mikołaj Chloé Øyvind Li Ama Ravi Élodie Tomáš Maria José Hana Björn Fatima Noah Emma Oğuz Yuki Ines Pavel Sinéad".split()
LAST = "Müller Nowak García Hansen Kowalski Dubois Tanaka Okafor Patel O'Brien Svensson Šimek Yılmaz Costa Rossi Smith Weiß Novák Ferrari Dąbrowski".split()
def ascii_(s):
    import unicodedata
    s = s.replace("ø","o").replace("Ø","O").replace("ł","l").replace("Ł","L").replace("ß","ss").replace("ı","i").replace("'","")
    return unicodedata.normalize("NFKD", s).encode("ascii","ignore").decode()
def person(r): return r.choice(FIRST) + " " + r.choice(LAST)

# 1 ---------------------------------------------------------------- orders
def orders():
    r = R(1); out = []; t = datetime(2026,3,1,6,0)
    for i in range(430):
        t += timedelta(minutes=r.randint(3,240)); p = person(r)
        amt = round(r.lognormvariate(4.3,0.8),2)
        o = {"id": 50000+i, "number": "SO-%06d" % (204100+i*3), "customer": p,
             "email": ascii_(p).lower().replace(" ",".")+str(r.randint(1,99))+"@"+r.choice(["example.com","mail.example","post.example.org"]),
             "country": r.choice(["DE","DE","FR","FR","PL","NO","US","GB","ES","de","fr"]),
             "status": r.choices(["shipped","Shipped","delivered","Delivered","pending","PENDING","cancelled","refunded","Refunded","on-hold"],[20,14,22,8,12,5,9,5,3,2])[0],
             "amount": ("%.2f" % amt) if r.random()<0.06 else amt,
             "currency": r.choices(["EUR","USD","GBP","PLN","NOK","CHF"],[50,20,10,10,8,1])[0],
             "item_count": r.randint(1,9), "created_at": iso(t), "gift": r.random()<0.12}
        x = r.random()
        if x<0.22: o["coupon"] = r.choice(["SPRING10","WELCOME5","VIP20","spring10","FREESHIP"])
        elif x<0.45: o["coupon"] = None
        if r.random()<0.08: del o["email"]
        if r.random()<0.03: o["country"] = None
        if r.random()<0.25: o["note"] = r.choice(["Please leave at the door","FRAGILE – handle with care","fragile items inside","Lieferung an Nachbarn, Hauptstraße 12","Sonner deux fois, bâtiment C","call before delivery","customer asked twice","Très fragile","bitte nicht knicken", ""])
        out.append(o)
    out[211]["amount"] = 48999.0; out[97]["amount"] = "9120.40"; out[300]["amount"] = 0
    out[40]["item_count"]=144; out[333]["item_count"]=60; out[402]["item_count"]=75
    for a,b in ((55,57),(180,190),(260,261),(399,420)): out.insert(b, dict(out[a]))
    put("orders.json", json.dumps({"orders":out,"count":len(out),"has_more":False,"generated_at":"2026-04-12T08:00:00Z"}, ensure_ascii=False, indent=1))

# 2 ---------------------------------------------------------------- pods
def pods():
    r = R(2); items=[]; apps=["checkout","payments-api","ledger","search","catalog","mailer","auth","gateway","report-job","cache","indexer","web-frontend"]
    for i in range(118):
        app=r.choice(apps); ns=r.choices(["prod","payments","staging","kube-system","data"],[40,25,30,10,13])[0]
        name="%s-%s-%s"%(app,"".join(r.choice("0123456789abcdef") for _ in range(9)),"".join(r.choice("bcdfghjklmnpqrstvwxz2456789") for _ in range(5)))
        t=datetime(2026,5,1)+timedelta(minutes=r.randint(0,30000))
        phase=r.choices(["Running","Pending","Succeeded","Failed","Unknown"],[78,12,8,7,2])[0]
        cs=[app]+(["istio-proxy"] if r.random()<0.6 else [])+(["log-shipper"] if r.random()<0.25 else [])
        conts=[];st=[]
        for c in cs:
            img="registry.example.com/%s/%s"%("infra" if c!=app else "team",c)
            tag=r.choice([":latest",":1.4.2",":2.0.0-rc1",":1.19.3",":v3.7.0",":2026.04.1","@sha256:"+hashlib.sha256(c.encode()).hexdigest()])
            res={"requests":{"cpu":r.choice(["100m","250m","500m","1"]),"memory":r.choice(["128Mi","256Mi","1Gi"])}}
            if r.random()<0.7: res["limits"]={"memory":r.choice(["256Mi","512Mi","2Gi"])}
            conts.append({"name":c,"image":img+tag,"resources":res if r.random()<0.9 else {}})
            ready = phase=="Running" and r.random()<0.85
            rc = r.choices([0,1,2,r.randint(3,20)],[60,15,10,15])[0]
            if ready: state={"running":{"startedAt":iso(t+timedelta(minutes=2))}}
            elif phase in("Running","Pending"): state={"waiting":{"reason":r.choice(["CrashLoopBackOff","ImagePullBackOff","ContainerCreating","ErrImagePull"])}}
            elif phase=="Succeeded": state={"terminated":{"exitCode":0,"reason":"Completed"}}
            else: state={"terminated":{"exitCode":r.choice([1,137,143]),"reason":r.choice(["Error","OOMKilled"])}}
            st.append({"name":c,"ready":ready,"restartCount":rc,"state":state})
        allr=all(s["ready"] for s in st)
        unsched = phase=="Pending" and r.random()<0.5
        def cond(ty,ok,reason=None,msg=None):
            d={"type":ty,"status":"True" if ok else "False","lastTransitionTime":iso(t+timedelta(minutes=r.randint(0,500)))}
            if not ok and reason: d["reason"]=reason
            if not ok and msg: d["message"]=msg
            return d
        done = phase=="Succeeded"
        conds=[cond("Initialized",r.random()<0.95,"ContainersNotInitialized"),
               cond("Ready",allr,"PodCompleted" if done else ("ContainersNotReady" if r.random()<0.8 else "ReadinessGatesNotReady")),
               cond("ContainersReady",allr,"PodCompleted" if done else "ContainersNotReady"),
               cond("PodScheduled",not unsched,"Unschedulable" if r.random()<0.7 else "SchedulerError","0/9 nodes are available: insufficient memory.")]
        if phase=="Unknown": conds=[]
        labels={"app":app,"pod-template-hash":name.split("-")[-2]}
        if r.random()<0.6: labels["tier"]=r.choice(["frontend","backend","Backend","batch"])
        p={"metadata":{"name":name,"namespace":ns,"labels":labels,"creationTimestamp":iso(t)},
           "spec":{"nodeName":None if unsched and r.random()<0.4 else "node-%02d"%r.randint(1,9),"containers":conts,"restartPolicy":"Never" if app=="report-job" else "Always"},
           "status":{"phase":phase,"conditions":conds,"containerStatuses":st}}
        if unsched and p["spec"]["nodeName"]: del p["spec"]["nodeName"]
        if r.random()<0.25: p["metadata"]["annotations"]={"owner":r.choice(["Équipe Paiement","team-søk","platform","Plattform"]),"prometheus.io/scrape":r.choice(["true","false"])}
        if phase!="Pending": p["status"]["podIP"]="10.%d.%d.%d"%(r.randint(0,9),r.randint(0,255),r.randint(1,254))
        items.append(p)
    items[61]["status"]["containerStatuses"][0]["restartCount"]=412
    put("pods.json", json.dumps({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"88231904"},"items":items}, ensure_ascii=False, indent=1))

# 3 ---------------------------------------------------------------- lock
def lock():
    r=R(3)
    a="abstract array async babel base brace chalk cli color config cross css data debug deep dot escape esbuild event express fast file fill find flat form fs get glob graceful has http ignore import inter is jest js json keyv lazy level lines lodash log lru merge micro mime mini ms nano node npm object on open parse path pico pkg plugin postcss process prop proxy query raw react read regex resolve run safe sass send set shell side signal sort source split stack stream string strip style supports tap tar text through tmp type uni uri use util v8 vary web which word wrap write yaml".split()
    b="core utils parser loader plugin runtime helper types stream map regex equal extend buffer cache tools walk keys type name match range info exists plus ansi".split()
    names=[]; 
    while len(names)<380:
        n=r.choice(a)+"-"+r.choice(b)
        if r.random()<0.18: n="@"+r.choice(["babel","types","esbuild","acme","smörgås","jest"])+"/"+n
        if n not in names: names.append(n)
    names += ["semver","left-pad","fsevents","sharp","node-sass","minimist"]
    names=sorted(names)
    def ver(): return "%d.%d.%d"%(r.choice([0,1,1,2,3,4,5,7,8,18]),r.randint(0,25),r.randint(0,12))+(r.choice(["-beta.1","-rc.2",""]) if r.random()<0.06 else "")
    def entry(n,path):
        v=ver(); base=n.split("/")[-1]
        e={"version":v,"resolved":"https://registry.example/%s/-/%s-%s.tgz"%(n,base,v),"integrity":"sha512-"+base64.b64encode(hashlib.sha512((path+v).encode()).digest()).decode()}
        if r.random()<0.42: e["dev"]=True
        if r.random()<0.05: e["optional"]=True
        if r.random()<0.04: e["hasInstallScript"]=True
        if r.random()<0.93: e["license"]=r.choices(["MIT","ISC","Apache-2.0","BSD-3-Clause","BSD-2-Clause","mit","(MIT OR CC0-1.0)","0BSD","GPL-3.0","LGPL-2.1","Unlicense"],[220,45,30,22,14,6,6,4,2,2,2])[0]
        if r.random()<0.6: e["engines"]={"node":r.choice([">=6",">=8",">= 8",">=10",">=12",">=14","^14 || >=16",">=0.10.0","*"])}
        k=r.choices([0,1,2,3,r.randint(4,9)],[45,20,15,10,10])[0]
        if k: e["dependencies"]={d:r.choice(["^","~",""])+ver() for d in r.sample([x for x in names if x!=n and x!="semver"],k)}
        if r.random()<0.015: e["deprecated"]=r.choice(["This package is no longer supported","Please upgrade to version 7 or higher","use the native API instead – ça suffit"])
        return e
    pk={}
    for n in names: pk["node_modules/"+n]=entry(n,n)
    for i in range(34):
        n=r.choice(names); par=r.choice(names)
        if n!=par: pk["node_modules/%s/node_modules/%s"%(par,n)]=entry(n,par+n)
    for par in r.sample(names,4): pk["node_modules/%s/node_modules/semver"%par]=entry("semver",par+"semver")
    tops=[k for k in pk]
    for k in r.sample(tops,9): pk[k].setdefault("dependencies",{})["semver"]="^"+r.choice(["5.7.1","6.3.0","7.3.5"])
    k=r.choice(tops); pk[k]["dependencies"]={d:"^"+ver() for d in r.sample(names,31)}
    root={"name":"kundenportal","version":"4.12.0","license":"UNLICENSED","dependencies":{d:"^"+ver() for d in r.sample(names,28)},"devDependencies":{d:"^"+ver() for d in r.sample(names,41)},"engines":{"node":">=18"}}
    put("lock.json", json.dumps({"name":"kundenportal","version":"4.12.0","lockfileVersion":3,"requires":True,"packages":{"":root,**{k:pk[k] for k in sorted(pk)}}}, ensure_ascii=False, indent=2))

# 4 ---------------------------------------------------------------- log
def log():
    r=R(4); L=[]; t=datetime(2026,6,14,0,0,3)
    comps=["http.server","db.pool","scheduler","auth.session","billing.invoice","cache.redis","mail.smtp"]
    paths=["/api/v1/checkout","/api/v1/cart","/api/v1/users/{}","/health","/api/v2/search","/static/app.js","/api/v1/orders/{}"]
    exc=[("java.net.SocketTimeoutException","Read timed out"),("java.lang.NullPointerException",'Cannot invoke "Invoice.total()" because "inv" is null'),("java.sql.SQLTransientConnectionException","HikariPool-1 - Connection is not available, request timed out after 30000ms."),("com.example.billing.TaxRuleException","no rule for country 'ÅX'"),("java.lang.IllegalStateException","session already closed")]
    def add(lv,c,m): L.append("%s %-5s [%s] %s"%(t.strftime("%Y-%m-%d %H:%M:%S,")+"%03d"%r.randint(0,999),lv,c,m))
    special={400:("WARN","cache.redis","circuit breaker opened after 5 failures (target=redis-2)"),401:("INFO","scheduler","job nightly-reindex postponed to 04:30"),950:("ERROR","billing.invoice","invoice 77120 rejected: amount -12.50 is negative"),1210:("WARN","mail.smtp","mailbox full for zoë@example.org, bounced")}
    for i in range(1500):
        t+=timedelta(seconds=r.choice([1,2,5,9,20,60,110]))
        if i in special: add(*special[i]); continue
        x=r.random()
        if x<0.62:
            p=r.choice(paths).format(r.randint(100,999)); st=r.choices([200,201,204,302,400,401,404,500,502,503],[60,8,5,4,4,3,7,3,2,2])[0]
            ms=int(r.lognormvariate(4,0.9)); add("INFO" if st<500 else "ERROR","http.server","%s %s -> %d completed in %d ms rid=%08x"%(r.choice(["GET","GET","POST","PUT"]),p,st,ms,r.getrandbits(32)))
        elif x<0.76: add("DEBUG",r.choice(comps[1:]),r.choice(["lease renewed","pool size=%d idle=%d"%(r.randint(5,40),r.randint(0,5)),"cache miss key=user:%d"%r.randint(1,9999),"heartbeat ok","no ERROR in last window"]))
        elif x<0.87: add("INFO",r.choice(comps[1:]),r.choice(["job nightly-reindex started","session %d created for %s"%(r.randint(1000,9999),person(r)),"sent mail to %s"%ascii_(person(r)).replace(" ",".").lower(),"invoice %d stored"%r.randint(10000,99999)]))
        elif x<0.955: add(r.choice(["WARN","WARN","warn","WARN"]),r.choice(comps[1:]),r.choice(["slow query took %d ms"%r.randint(1000,9000),"retry %d of 5"%r.randint(1,5),"deprecated setting 'smtp.tls' used","token expires soon"]))
        else:
            e,m=r.choice(exc); add("ERROR" if r.random()<0.93 else "FATAL",r.choice(comps[1:]),"unhandled failure"+r.choice([""," in worker %d"%r.randint(1,8)]))
            L.append(e+": "+m)
            for _ in range(r.randint(2,6)): L.append("\tat com.example.%s.%s(%s.java:%d)"%(r.choice(["billing","db","web","core"]),r.choice(["run","invoke","doFilter","load","save"]),r.choice(["Worker","Filter","Invoice","Pool","Repo"]),r.randint(10,400)))
            if r.random()<0.3:
                e2,m2=r.choice(exc); L.append("Caused by: %s: %s"%(e2,m2)); L.append("\tat com.example.core.run(Main.java:%d)"%r.randint(10,90)); L.append("\t... %d more"%r.randint(3,30))
    L[777:777]=["--- log rotated ---"]
    for j,l in enumerate(L):
        if "/api/v2/search" in l and j>600: L[j]=__import__("re").sub(r"in \d+ ms","in 48213 ms",l); break
    put("applog.txt","\n".join(L)+"\n")

# 5 ---------------------------------------------------------------- patch series
def patches():
    r=R(5); fs={}
    def pyfile(n,k):
        o=['"""%s helpers."""'%n,"import logging","","log = logging.getLogger(__name__)",""]
        for i in range(k): o+=["","def %s_%s(value, *, strict=False):"%(r.choice(["load","parse","send","check","merge","close"]),r.choice(["header","row","frame","token","index","batch"])+str(i)),"    # step %d"%r.randint(1,99),"    if strict and value is None:","        raise ValueError('missing value')","    return value",""]
        return o
    fs["src/net/client.py"]=pyfile("client",6); fs["src/net/server.py"]=pyfile("server",5); fs["src/store/index.py"]=pyfile("index",7)
    fs["src/util/text.py"]=pyfile("text",4); fs["README.md"]=["# fjord","","A small store.","","## Install","","    pip install fjord",""]; fs["docs/guide.md"]=["# Guide","","Grüße aus dem Handbuch.",""]; fs["setup.cfg"]=["[metadata]","name = fjord","version = 0.8.0",""]; fs["tests/test_client.py"]=pyfile("test client",3); fs["src/util/old_compat.py"]=pyfile("compat",3)
    auth=[("Ingrid Åsen","ingrid@fjord.example"),("Mateusz Żak","mzak@fjord.example"),("dev-bot","bot@fjord.example"),("Priya Raman","priya@fjord.example")]
    subj=["net: tighten %s handling","store: simplify %s lookup","util: clean up %s","docs: explain %s","tests: cover %s","build: bump %s","Fix %s regression","Revert handling of %s"]
    obj=["timeout","header","index","unicode","retry","token","batch","empty row","frame size","shutdown"]
    t=datetime(2026,1,5,9,0); commits=[]
    for c in range(40):
        t+=timedelta(hours=r.randint(3,60),minutes=r.randint(0,59)); a=r.choices(auth,[40,30,12,18])[0]; new={k:list(v) for k,v in fs.items()}
        ren=None; body=[]; s=r.choice(subj)%r.choice(obj)
        if r.random()<0.5: body.append(r.choice(["This was reported on the list.","No functional change intended.","Measured 12% faster on the index bench.","See the discussion about Größe limits."]))
        for f in r.sample(sorted(new),r.randint(1,3)):
            L=new[f]
            for _ in range(r.randint(1,3)):
                i=r.randint(0,len(L)-1); op=r.random()
                ind="    " if f.endswith(".py") else ""
                ln=[ind+r.choice(["log.debug('step %s', value)","# TODO: drop this after 1.0","value = value.strip()","limit = %d"%r.randint(1,4096),"if not value: return None"]) for _ in range(r.randint(1,5))] if f.endswith(".py") else [r.choice(["See also the guide.","- item %d"%r.randint(1,50),"Note: größer ist nicht besser.","-- not a header","option = %d"%r.randint(1,99)]) for _ in range(r.randint(1,4))]
                if op<0.6: L[i:i]=ln
                elif op<0.8: del L[i:i+r.randint(1,3)]
                else: L[i:i+1]=ln[:1]
        if c==6: new["src/net/backoff.py"]=pyfile("backoff",2); s="net: add backoff module"
        if c==13: new["src/net/client.py"][5:5]=["MAX_RETRIES = 7"]; s="net: bound retries"; body.append("Fixes #482")
        if c==17: new["docs/faq.md"]=["# FAQ","","Q: Wie groß?","A: 42 MB.",""]; s="docs: start a FAQ"
        if c==21: ren=("src/util/text.py","src/util/strings.py"); new[ren[1]]=new.pop(ren[0]); s="util: rename text to strings"
        if c==25: new["src/store/index.py"]+=pyfile("bulk",22); s="store: bulk operations"
        if c==28: new.pop("src/util/old_compat.py",None); s="util: remove old_compat"
        if c==30: new["src/store/wal.py"]=pyfile("wal",4); s="store: write-ahead log"
        if c==33: new["src/net/client.py"]=[l for l in new["src/net/client.py"] if l!="MAX_RETRIES = 7"]+["MAX_RETRIES = 3"]; s="net: fewer retries by default"
        if c==36: new["setup.cfg"]=[("version = 0.9.0" if l.startswith("version") else l) for l in new["setup.cfg"]]; s="Release 0.9.0"
        if r.random()<0.3: body.append("Reviewed-by: "+r.choice(["Priya Raman","Ingrid Åsen"]))
        d=[]
        for f in sorted(set(fs)|set(new)):
            if ren and f==ren[0]: continue
            old=fs.get(f) if not(ren and f==ren[1]) else fs[ren[0]]; nw=new.get(f)
            if old==nw and not(ren and f==ren[1]): continue
            oa=ren[0] if ren and f==ren[1] else f
            d.append("diff --git a/%s b/%s"%(oa,f)); h=lambda x: hashlib.sha1("\n".join(x).encode()).hexdigest()[:9] if x is not None else "000000000"
            if old is None: d.append("new file mode 100644")
            if nw is None: d.append("deleted file mode 100644")
            if oa!=f: d+=["similarity index 91%","rename from "+oa,"rename to "+f]
            if old==nw: continue
            d.append("index %s..%s%s"%(h(old),h(nw)," 100644" if old is not None and nw is not None else ""))
            d+=list(difflib.unified_diff(old or [],nw or [],"/dev/null" if old is None else "a/"+oa,"/dev/null" if nw is None else "b/"+f,lineterm=""))
        if not d: new["README.md"].append("Touch %d."%c); d=["diff --git a/README.md b/README.md","index 1..2 100644"]+list(difflib.unified_diff(fs["README.md"],new["README.md"],"a/README.md","b/README.md",lineterm=""))
        hh=hashlib.sha1(("%d%s%s"%(c,s,t)).encode()).hexdigest()
        m=["commit "+hh,"Author: %s <%s>"%a,"Date:   "+t.strftime("%a %b ")+str(t.day)+t.strftime(" %H:%M:%S %Y +0100"),"","    "+s]
        if body: m+=["    "]+["    "+b for b in body]
        commits.append(m+[""]+d); fs=new
    put("patches.txt","\n\n".join("\n".join(c) for c in reversed(commits))+"\n")

# 6 ---------------------------------------------------------------- csv
def shipments():
    r=R(6); b=io.StringIO(); w=csv.writer(b,lineterminator="\n")
    w.writerow("shipment_id,date,carrier,origin,destination,weight_kg,cost_eur,status,transit_days,comment".split(","))
    rows=[]
    for i in range(2900):
        d=datetime(2026,1,1)+timedelta(days=r.randint(0,180))
        rows.append(["SH%05d"%(10000+i*7%90001),d.strftime("%Y-%m-%d") if r.random()<0.99 else "",r.choices(["DHL","UPS","dhl","PostNord","GLS","InPost","Hermes, Nord"],[30,20,4,14,16,14,3])[0],
          r.choice(["Berlin","Hamburg","Łódź","Malmö","Lyon","Gdańsk"]),r.choices(["Oslo","Paris","Łódź","Zürich","Wien","Málaga","Praha","Reykjavík"],[20,20,12,15,15,9,9,2])[0],
          "%.1f"%r.lognormvariate(1.6,1.0) if r.random()<0.98 else "N/A","%.2f"%r.lognormvariate(2.7,0.6),r.choices(["delivered","Delivered","in transit","lost","returned","LOST"],[70,8,12,2,6,1])[0],
          str(r.randint(1,14)),r.choice(["","","","","signed by neighbour","left at \"Paketshop\", 2nd floor","abgeholt","wet box"]) if r.random()<0.3 else ""])
        if rows[-1][7] in("in transit","lost","LOST"): rows[-1][8]=""
    rows[1500][5]="4820.0"; rows[77][6]="1999.99"; rows[2222][9]="damaged\nrefused by Frau Özdemir"; rows[640][9]="customs hold, code 7731"
    for a,bb in ((12,13),(700,702),(2000,2600)): rows.insert(bb,list(rows[a]))
    w.writerows(rows); put("shipments.txt",b.getvalue())

# 7 ---------------------------------------------------------------- markdown report
PROSE="The team reviewed the quarter and agreed on the next steps. Most services stayed inside their error budget, although load grew. Some dashboards still show stale data after a restart. Owners are asked to check their alerts before the next review. Traffic from mobile clients keeps rising, mainly in the evening. The migration of the old queue is nearly done and should end in autumn. Capacity for storage is fine until spring, then it needs a decision. Several runbooks were out of date and have been rewritten. A naïve retry loop caused extra load in one case. The café kiosk pilot in Århus used the same gateway.".split(". ")
def prose(r,n): return ". ".join(s.rstrip(".") for s in r.sample(PROSE,min(n,len(PROSE))))+"."
def report():
    r=R(7); o=["# Reliability report Q2 2026","","_Prepared by the platform group – 3 July 2026._",""]
    svc=[a+"-"+b for a in "cart pay ledger user mail search media geo tax stock price order".split() for b in "api worker store cron edge".split()]; r.shuffle(svc); svc=svc[:56]
    teams=["Zahlungen","Søk","Core","Mobile","Größenlager","Data"]
    o+=["## Summary","",prose(r,6),"","### Highlights","",prose(r,5),"","- [x] Rotate certificates","- [ ] Renew the contract with the CDN","- [X] Publish the postmortem of INC-2031","- [ ] Move cron jobs off host `alba-3`","","## Service levels","",prose(r,4),"","| Service | Team | Tier | Availability % | p95 ms | Requests |","|---|:---:|---|---:|---:|---:|"]
    av=set()
    for i,s in enumerate(svc):
        a=round(100-abs(r.gauss(0,0.15)),3)
        while a in av: a=round(100-abs(r.gauss(0,0.15)),3)
        av.add(a)
        if i==31: a=97.412
        o.append("| %s | %s | %s | %s | %s | %s |"%(s,r.choice(teams),r.choice(["1","2","2","3"]),"%.3f"%a if r.random()<0.95 or i==31 else "n/a",r.randint(20,690) if r.random()<0.95 else "–",format(r.randint(1000,9000000),",")))
    o+=["","### Notes on measurement","",prose(r,6),"","Availability is measured at the edge, in windows of 30 seconds.","","### Exclusions","",prose(r,3),"","Planned maintenance on 9 May is not counted.","","## Incidents","",prose(r,5),"","| Id | Date | Service | Severity | Minutes down | Root cause |","| --- | --- | --- | --- | --- | --- |"]
    used=set()
    for i in range(140):
        m=r.randint(1,240)
        if i==88: m=1337
        o.append("| INC-%d | 2026-%02d-%02d | %s | %s | %s | %s |"%(2001+i,4+i//48,1+r.randint(0,27),r.choice(svc),r.choices(["SEV1","SEV2","SEV3","sev3"],[8,30,50,6])[0],m if r.random()<0.96 or i==88 else "",r.choice(["bad deploy","expired certificate","disk full","DNS","human error","vendor outage","unknown","race condition \\| lock order","memory leak"])))
    o+=["","### Lessons","",prose(r,7),"","#### Follow-up","","- [ ] Alert on certificate age below 14 days","- [ ] Add a lock-order check","- [x] Cap the retry loop","- [ ] Ask Zürich site for a second uplink","","## Capacity","",prose(r,8),""]
    for q in ["Storage","Compute","Network","Database","Cost"]:
        o+=["### "+q,""]
        for _ in range(3): o+=[prose(r,r.randint(4,9)),""]
        if q=="Network": o+=["The uplink in Zürich reached 83% at peak on 17 June.",""]
        if q=="Cost": o+=["Spending on object storage was 41,280 EUR, up 6%.",""]
    o+=["## Contacts","","On-call lead: Sinéad O'Brien (ext. 4471)","","Deputy: Tomáš Šimek (ext. 4490)",""]
    put("report.txt","\n".join(o))

# 8 ---------------------------------------------------------------- tree
def tree():
    r=R(8); root={}
    def ensure(p):
        d=root
        for x in p.split("/"): d=d.setdefault(x+"/",{})
        return d
    dirs=["src","src/api","src/api/handlers","src/api/middleware","src/ui","src/ui/components","src/ui/components/forms","src/ui/components/charts","src/ui/hooks","src/legacy","src/legacy/billing","src/legacy/billing/tax","src/lib","src/lib/parsers","tests","tests/unit","tests/unit/api","tests/integration","tests/fixtures","tests/fixtures/large","docs","docs/guides","docs/guides/de","docs/adr","config","config/environments","scripts","assets","assets/icons","assets/fonts","packages","packages/core","packages/core/src","packages/core/src/io","packages/cli","packages/cli/src","migrations","tools"]
    ext={"src":["ts","ts","tsx","css","ts"],"tests":["ts","json","snap","ts","Test.ts"],"docs":["md","md","png","MD"],"config":["yaml","yml","json","toml"],"scripts":["sh","py"],"assets":["svg","png","woff2","SVG"],"packages":["ts","json","ts","md"],"migrations":["sql"],"tools":["py","sh","mjs"]}
    w="order cart user price tax invoice session token search filter page list detail modal button chart line grid date money locale theme route cache queue retry event audit export import report login role menu table form field".split()
    n=0; cnt=0
    ex=set()
    while cnt<1478:
        d=r.choices(dirs,[1+ (len(x)%7) for x in dirs])[0]; top=d.split("/")[0]; e=r.choice(ext[top]); x=r.choice(w)+r.choice(["","-","_",""]).replace("","")+r.choice(w).capitalize()+str(r.choice(["","","2","-old","-v3"]))
        if top=="migrations": x="%04d_%s"%(cnt,r.choice(w)+"_"+r.choice(w))
        f=x+"."+e+("*" if e in("sh","mjs") and r.random()<0.7 else ""); D=ensure(d)
        if f in D or f.rstrip("*") in D or f+"*" in D: continue
        D[f]=None; cnt+=1
    for d in ["","src","docs","packages/core","packages/cli","tests/fixtures","src/legacy"]: (ensure(d) if d else root)["README.md"]=None
    ensure("config/environments")["feature_flags.yaml"]=None; ensure("docs/guides/de")["Größentabelle.md"]=None; ensure("docs")["naïve plan.md"]=None
    ensure("assets/icons")["warn sign (1).svg"]=None; ensure("src/legacy/billing/tax")["VatRules.java"]=None; ensure("packages/core/src/io/adapters/s3/v2")["multipart.ts"]=None
    ensure("tools")["lint -> ../node_modules/.bin/eslint"]=None; ensure("config")["current.yaml -> environments/prod.yaml"]=None
    root.update({"package.json":None,"Dockerfile":None,"Makefile":None,"LICENSE":None,".env.example":None})
    ensure("tests/tmp"); ensure("assets/audio"); ensure("docs/drafts/2025")
    L=["./"]; c=[0,0]
    def walk(d,pre):
        ks=sorted(d,key=lambda k:(k.rstrip("/*").lower(),k))
        for i,k in enumerate(ks):
            last=i==len(ks)-1; L.append(pre+("└── " if last else "├── ")+k)
            if d[k] is None: c[1]+=1
            else: c[0]+=1; walk(d[k],pre+("    " if last else "│\u00a0\u00a0 "))
    walk(root,""); L+=["","%d directories, %d files"%tuple(c)]
    put("tree.txt","\n".join(L)+"\n")

# 9 ---------------------------------------------------------------- series
def series():
    r=R(9); import math; out=[]; t=datetime(2026,7,1); i=0
    for i in range(3000):
        tt=t+timedelta(minutes=5*i)
        if 500<=i<517 or 1210<=i<1214 or i in(40,41,2222,2790) or 2000<=i<2009: continue
        v=round(55+22*math.sin(i/288*2*math.pi)+r.gauss(0,5),2)
        if r.random()<0.012: v=None
        elif r.random()<0.006: v="%.2f"%v
        out.append({"t":iso(tt),"v":v})
    def at(h,v):
        for o in out:
            if o["t"]==h: o["v"]=v
    at("2026-07-04T13:35:00Z",412.8); at("2026-07-09T02:10:00Z",-40.25); at("2026-07-06T20:00:00Z",205.5); at("2026-07-02T11:15:00Z",133.37); at("2026-07-10T00:00:00Z","301.0")
    for k in (900,1801): out.insert(k+1,dict(out[k]))
    put("series.json",json.dumps(out,separators=(", ",": ")).replace("}, {","},\n{"))

# 10 --------------------------------------------------------------- search
def search():
    r=R(10); hits=[]; sc=31.0
    nouns="gateway timeout;connection pool;invoice export;login page;cache eviction;search ranking;deploy pipeline;backup restore;Größenberechnung;tax rules;mail queue;audit trail".split(";")
    for i in range(150):
        sc-=r.random()*0.2; idx=r.choices(["wiki","runbooks","tickets","Wiki-archive"],[60,30,50,10])[0]; n=r.choice(nouns)
        title=r.choice(["How to fix the {}","{} – overview","Notes on {}","{} fails after upgrade","Checklist: {}","{} FAQ"]).format(n)+r.choice([""," (%d)"%r.randint(2,99)])
        src={"title":title,"author":r.choice(["anna.m","ØYVIND","ravi","zoe","Ravi","pavel","bot"]),"updated":(datetime(2024,1,1)+timedelta(minutes=r.randint(0,1300000))).strftime("%Y-%m-%dT%H:%M:%SZ"),"views":r.randint(0,5000),"published":r.random()<0.85,"tags":r.sample(["ops","howto","legacy","Billing","security","draft","db"],r.randint(0,3)),"body":prose(r,r.randint(2,5))}
        if idx=="tickets": src["ticket"]={"state":r.choice(["open","closed","Open","waiting"]),"priority":r.choice([1,2,3,"2"])}
        if r.random()<0.35: src["attachments"]=[{"name":"%s-%d.%s"%(r.choice(["shot","trace","plan","übersicht"]),r.randint(1,99),ty),"type":ty,"size":r.randint(900,9000000)} for ty in [r.choice(["pdf","png","txt","zip"]) for _ in range(r.randint(1,4))]]
        if r.random()<0.04: src["views"]=None
        if r.random()<0.05: del src["author"]
        h={"_index":idx,"_id":"d%05d"%r.randint(10000,99999),"_score":round(sc,4),"_source":src}
        if r.random()<0.85:
            h["highlight"]={"body":["… <em>%s</em> %s …"%(n.split()[0],r.choice(["was slow","needs care","again down","see note"])) for _ in range(r.randint(1,3))]}
            if r.random()<0.4: h["highlight"]["title"]=[title.replace(n.split()[-1],"<em>"+n.split()[-1]+"</em>")]
        hits.append(h)
    hits[70]["_source"]["views"]=91822; hits[33]["_source"]["title"]="Rotating the signing key"; hits[120]["_source"]["body"]+=" The magic number is 60413."
    hits[90]["_index"],hits[90]["_id"]=hits[12]["_index"],hits[12]["_id"]; hits[90]["_source"]=hits[12]["_source"]
    put("search.json",json.dumps({"took":37,"timed_out":False,"_shards":{"total":6,"successful":6,"failed":0},"hits":{"total":{"value":2764,"relation":"eq"},"max_score":hits[0]["_score"],"hits":hits}},ensure_ascii=False,indent=1))

# 11 --------------------------------------------------------------- events
def events():
    r=R(11); L=[]; t=datetime(2026,8,3,7,0); users=["u%03d"%i for i in range(1,61)]
    for i in range(1300):
        t+=timedelta(seconds=r.randint(1,90)); ty=r.choices(["page_view","login","purchase","error","logout","Login"],[50,20,12,8,10,2])[0]
        e={"id":"ev-%05d"%(i+1),"ts":iso(t) if r.random()<0.95 else int((t-datetime(1970,1,1)).total_seconds()),"type":ty,"user":r.choice(users) if r.random()<0.96 else None,"app":{"version":r.choice(["5.1.0","5.1.1","5.2.0","5.2.0-beta","4.9.7"]),"os":r.choice(["iOS","Android","android","web"])}}
        if ty=="page_view": e["path"]=r.choice(["/","/cart","/søk","/p/%d"%r.randint(1,99),"/help"]); e["ms"]=r.randint(20,900)
        if ty in("login","Login"): e["ok"]=r.random()<0.7; e["method"]=r.choice(["password","sso","passkey"])
        if ty=="purchase":
            e["items"]=[{"sku":r.choice(["TEE-1","MUG-2","CAP-3","SØK-9","BAG-4"]),"qty":r.randint(1,5),"price":r.choice([4.5,9.9,12.0,19.99,35.0])} for _ in range(r.randint(1,4))]
            tot=round(sum(x["qty"]*x["price"] for x in e["items"]),2); e["total"]=tot if r.random()<0.92 else "%.2f"%tot; e["country"]=r.choice(["SE","DE","PL","NO","se"])
        if ty=="error": e["error"]={"code":r.choice([404,500,502,504,"E_PARSE"]),"retryable":r.choice([True,False]),"message":r.choice(["upstream timed out","not found","bad gateway","ungültige Eingabe"])}
        L.append(json.dumps(e,ensure_ascii=False,separators=(",",":")))
    for k in (333,871): L[k]=L[k][:len(L[k])//2]
    L.insert(600,""); L.insert(450,L[449])
    d=json.loads(L[1000]); L[1000]=json.dumps({"id":d["id"],"ts":"2026-08-03T19:00:00Z","type":"deploy","user":None,"app":{"version":"5.3.0","os":"web"},"actor":"Björn Weiß","flags":{"canary":True,"percent":15}},ensure_ascii=False,separators=(",",":"))
    put("events.txt","\n".join(L)+"\n")

# 12 --------------------------------------------------------------- source
def source():
    r=R(12); o=['"""Ledger service: accounts, postings and handlers (größere Änderungen siehe CHANGES)."""',"from __future__ import annotations","","import asyncio","import json","import logging","import os, re","from dataclasses import dataclass, field","from decimal import Decimal","from typing import Any, Iterable, Optional","","from .errors import LedgerError, NotFound","from .util import retry, cached, traced","",
    "log = logging.getLogger(__name__)","","DEFAULT_TIMEOUT = 12.5","MAX_BATCH = 480","RETRY_LIMIT = 4","CURRENCIES = ('EUR', 'SEK', 'PLN', 'CHF')","FEATURE_DUAL_WRITE = False","_SECRET_ENV = 'LEDGER_SIGNING_KEY'","","","class BaseHandler:",'    """Common parts of all handlers."""',"","    name = 'base'","","    def __init__(self, store, clock=None):","        self.store = store","        self.clock = clock","","    def handle(self, request):","        raise NotImplementedError","",""]
    verbs="load save merge split check close open post void audit export parse render lookup expire refresh".split(); nouns="account posting balance ledger batch invoice journal currency rate limit token report period snapshot".split()
    used=set()
    def body(ind):
        b=[]
        for _ in range(r.randint(2,9)):
            x=r.random()
            if x<0.2: b+=["if request is None:","    raise LedgerError('missing request')"]
            elif x<0.35: b+=["for row in self.store.rows(limit=MAX_BATCH):" if ind else "for row in rows:","    total += Decimal(row['amount'])"]
            elif x<0.45: b+=["# TODO: handle %s of other periods"%r.choice(nouns)]
            elif x<0.5: b+=["# FIXME(zoë): rounding differs for %s"%r.choice(["SEK","PLN"])]
            elif x<0.62: b+=["log.debug('%s %%s', total)"%r.choice(nouns)]
            elif x<0.7: b+=["try:","    data = json.loads(request.body)","except ValueError:","    log.warning('def is not a function here')","    data = {}"]
            elif x<0.8: b+=["total = total.quantize(Decimal('0.01'))"]
            else: b+=["%s = request.get('%s')"%(r.choice(nouns),r.choice(nouns))]
        return b
    def func(ind,names):
        n=r.choice(verbs)+"_"+r.choice(nouns)
        while n in names: n=r.choice(verbs)+"_"+r.choice(nouns)
        names.add(n); p="    " if ind else ""; L=[]
        x=r.random()
        if x<0.09: L.append(p+"@retry(times=%s)"%r.choice(["3","RETRY_LIMIT"]))
        elif x<0.16: L.append(p+"@cached")
        elif x<0.20: L.append(p+"@traced('%s')"%n)
        elif x<0.23 and ind: L.append(p+"@staticmethod")
        a="async " if r.random()<0.17 else ""; st=L and "static" in L[-1]
        L.append(p+a+"def %s(%s) -> %s:"%(n,("self, " if ind and not st else "")+"request, rows=(), *, strict=False",r.choice(["Decimal","Any","Optional[Decimal]"])))
        if r.random()<0.7: L.append(p+'    """%s the %s."""'%(n.split("_")[0].capitalize(),n.split("_")[1]))
        L.append(p+"    total = Decimal(0)")
        bb=body(ind)
        if "static" in "".join(L): bb=[q.replace("self.store.rows(limit=MAX_BATCH)","rows") for q in bb]
        L+=[p+"    "+q for q in bb]+[p+"    return total",""]
        return L
    modn=set(); classes=[]; i=0
    cn=["AccountHandler","PostingHandler","RateHandler","JournalStore","SnapshotStore","ExportHandler","LedgerClient","PeriodCloser","TokenCache","ReportHandler","CurrencyTable","AuditTrail","BatchRunner","LimitGuard","InvoiceHandler","Reconciler","HealthHandler","WebhookSink"]
    for k,c in enumerate(cn):
        o+=(["@dataclass(frozen=True)"] if c in("CurrencyTable","LimitGuard") else [])+["class %s%s:"%(c,"(BaseHandler)" if c.endswith("Handler") else "(JournalStore)" if c=="SnapshotStore" else "")]
        if r.random()<0.8: o.append('    """%s of the ledger service."""'%c)
        o+=["    kind = '%s'"%c.lower(),""]
        names=set()
        for _ in range(r.randint(2,6) if c!="PeriodCloser" else 11): o+=func(True,names)
        if c=="Reconciler": o+=["    def reconcile_ledger(self, left, right):",'        """Compare both sides."""',"        tolerance = Decimal('0.0375')","        return abs(left - right) <= tolerance",""]
        if c=="BatchRunner": o+=["    async def run_everything(self, request):","        total = Decimal(0)"]+sum([["        total += await self.step(%d, request)"%z,"        log.info('step %d done')"%z] for z in range(1,36)],[])+["        return total",""]
        o.append("")
        if r.random()<0.7:
            for _ in range(r.randint(1,3)): o+=func(False,modn)+[""]
    while len(o)<2000: o+=func(False,modn)+[""]
    o+=["def main(argv=None) -> int:","    key = os.environ.get(_SECRET_ENV)","    if not key:","        log.error('no signing key')","        return 3","    asyncio.run(asyncio.sleep(0))","    return 0","","","if __name__ == '__main__':","    raise SystemExit(main())"]
    put("ledger_source.txt","\n".join(o)+"\n")

# 13 --------------------------------------------------------------- manual
def manual():
    r=R(13); o=["# Havn 3.2 manual","",prose(r,4),""]
    ch={"Installation":["Requirements","From packages","From source","Upgrading"],"Configuration":["File locations","Server settings","Storage settings","Logging settings","Environment variables"],"Command line":["havn start","havn stop","havn backup","havn restore","havn prune","Exit codes"],"Security":["Users and roles","TLS","Tokens","Audit log"],"Operations":["Monitoring","Backups","Scaling","Disaster recovery","Größenplanung"],"Troubleshooting":["Common errors","Slow queries","Collecting a report"],"Appendix":["Glossary","Release notes","Licence"]}
    opts={"havn start":[("--port","8420"),("--bind","127.0.0.1"),("--workers","6"),("--read-only","off")],"havn stop":[("--grace-period","45s"),("--force","off")],"havn backup":[("--target","./backup"),("--compress","zstd"),("--parallel","2")],"havn restore":[("--from","(none)"),("--verify","on"),("--parallel","4")],"havn prune":[("--keep","30d"),("--dry-run","on")]}
    special={"TLS":"Certificates are reloaded every 15 minutes without a restart.","Disaster recovery":"The recovery point objective is 10 minutes when streaming is on.","Slow queries":"Queries above 750 ms are written to the slow log.","Tokens":"A token is valid for 36 hours unless `token_ttl` says otherwise.","Requirements":"At least 3 GB of memory and a 64-bit kernel 5.10 or later are needed."}
    for c,subs in ch.items():
        o+=["## "+c,"",prose(r,r.randint(2,5)),""]
        for s in subs:
            o+=["### "+s,"",prose(r,r.randint(4,9)),""]
            if s in special: o+=[special[s],""]
            if s in opts:
                o+=["```sh","# %s with defaults"%s,"%s %s"%(s," ".join(a for a,_ in opts[s][:2])),"```","","#### Options",""]
                for a,d in opts[s]: o+=["- `%s` (default: `%s`): %s"%(a,d,r.choice(PROSE).rstrip(".").lower()+".")]
                o+=[""]
            if s=="Exit codes": o+=["| Code | Meaning |","|---|---|","| 0 | success |","| 1 | general failure |","| 2 | usage error |","| 17 | storage locked by another process |","| 23 | backup incomplete |","| 64 | licence expired |",""]
            if s.endswith("settings"):
                o+=["```toml","# %s"%s.lower()]+["%s_%s = %s"%(s.split()[0].lower(),k,r.choice(["true","false","%d"%r.randint(1,900),'"auto"'])) for k in r.sample(["limit","mode","cache","level","depth","sync","retry","size"],5)]+["```",""]
            if s=="Environment variables": o+=["- `HAVN_HOME`: data folder","- `HAVN_LOG`: log level, default `info`","- `HAVN_TOKEN`: token for scripts","- `HAVN_NO_COLOR`: any value turns colours off",""]
            if r.random()<0.35: o+=["> **Warning:** "+r.choice(["this cannot be undone.","stop all writers first.","keep a copy of the old files.","clocks must agree within 2 seconds."]),""]
            if r.random()<0.3: o+=["> **Note:** "+r.choice(PROSE).rstrip(".")+".",""]
            if r.random()<0.3: o+=["See [%s](https://havn.example/docs/%s)."%(s,s.lower().replace(" ","-")),""]
            if s in("Monitoring","Backups","Common errors"):
                for q in {"Monitoring":["Metrics","Health checks","Alerts"],"Backups":["Full","Incremental"],"Common errors":["E1001 locked","E1002 bad header","E1003 disk full","E1004 version mismatch"]}[s]: o+=["#### "+q,"",prose(r,r.randint(3,6)),""]
            if s=="Release notes":
                for v,d in [("3.2.0","2026-05-11"),("3.1.4","2026-02-02"),("3.1.0","2025-11-20"),("3.0.0","2025-06-30")]: o+=["#### %s (%s)"%(v,d),""]+["- "+r.choice(["fix","add","drop"])+" "+r.choice(["streaming","prune","zstd","roles","Größe limit"])+" #%d"%r.randint(100,999) for _ in range(r.randint(3,6))]+[""]
            if s=="Glossary":
                for k,v in [("Harbour","one storage unit"),("Quay","a shard of a harbour"),("Pilot","the elected leader"),("Ballast","space reserved for compaction"),("Fender","rate limiter in front of a quay")]: o+=["**%s**: %s"%(k,v),""]
            if s=="Collecting a report": o+=["1. Run `havn report --full`.","2. Remove secrets from the file.","3. Send it to help@havn.example.","",]
            if s=="From source": o+=["```sh","# get the sources","git clone https://havn.example/src.git","## build","make -j4","```",""]
            if s=="Upgrading": o+=["```","$ havn --version","havn 3.2.0 (build 90217)","```",""]
    put("manual.txt","\n".join(o))

# 14 --------------------------------------------------------------- mixed
def mixed():
    r=R(14); iss=[]
    for i in range(95):
        d={"key":"OPS-%d"%(700+i),"summary":r.choice(["Disk alarm on {}","Certificate of {} expires","{} answers slowly","Upgrade {} to v9","Zugang für {} fehlt"]).format(r.choice(["alba","brage","freyja","tyr","ymir"])),"state":r.choices(["open","Open","done","in progress","blocked"],[30,6,40,20,8])[0],"points":r.choice([1,2,3,5,8,None,"3"]),"assignee":r.choice(["anna","ravi","zoë","pavel",None]),"labels":r.sample(["infra","urgent","db","customer"],r.randint(0,2)),"watchers":r.randint(0,12),"comments":[{"by":r.choice(["anna","ravi","zoë","bot"]),"internal":r.random()<0.4,"text":prose(r,1)} for _ in range(r.randint(0,3))]}
        if r.random()<0.1: del d["assignee"]
        iss.append(d)
    iss[44]["watchers"]=57
    env={}
    for n in ["alba","brage","freyja","tyr","ymir","loke","heimdal","njord"]:
        for z in ["prod","stage","dev"]: env[n+"-"+z]={"region":r.choice(["eu-north","eu-west","EU-north","us-east"]),"cpu":r.choice([2,4,8,16,"8"]),"memory_gb":r.choice([4,8,16,32,64]),"protected":z=="prod" and r.random()<0.8,"tags":r.sample(["db","web","queue"],r.randint(0,2))}
    env["njord-dev"]["memory_gb"]=768; del env["loke-stage"]["region"]
    t=datetime(2026,9,9,22,0); lg=[]
    for i in range(170):
        t+=timedelta(seconds=r.randint(1,50)); lg.append("%s %s %s: %s"%(t.strftime("%b %d %H:%M:%S").replace(" 0","  "),r.choice(["alba","brage","tyr"]),r.choice(["sshd","cron","kernel","postfix"]),r.choice(["session opened for user root","Failed password for invalid user admin from 203.0.113.%d"%r.randint(1,20),"job finished","connection closed","I/O error on sdb, sector %d"%r.randint(1000,99999),"Queue läuft leer"])))
    lg[101]=lg[101].split(": ")[0]+": temperature above threshold, cpu clock throttled (value=97)"
    cs=["host,day,backups,failed,size_gb"]+["%s,2026-09-%02d,%d,%s,%.1f"%(h,d,r.randint(1,9),r.choice(["0","0","0","1","2",""]),r.lognormvariate(3,0.6)) for d in range(1,15) for h in ["alba","brage","freyja","tyr"]]
    c=[{"type":"text","text":"Weekly operations digest for 2026-W37.\nTracker: 95 issues, 24 hosts.\nReport id: 5f2c-88. Prepared by Hana Weiß.\nNext review: 2026-09-18 at 14:30 CEST."},
       {"type":"text","text":json.dumps({"issues":iss,"nextPageToken":None},ensure_ascii=False),"annotations":{"audience":["assistant"],"priority":0.9}},
       {"type":"text","text":"\n".join(lg)},
       {"type":"text","text":json.dumps(env,ensure_ascii=False,indent=2)},
       {"type":"image","data":base64.b64encode(bytes(r.getrandbits(8) for _ in range(900))).decode(),"mimeType":"image/png"},
       {"type":"text","text":"\n".join(cs)},
       {"type":"resource_link","uri":"file:///srv/digest/2026-W37.pdf","name":"2026-W37.pdf","mimeType":"application/pdf"},
       {"type":"text","text":"Warnings: 2 hosts did not report (loke-stage, ymir-dev).\nEnd of digest."}]
    put("digest.json",json.dumps({"content":c,"isError":False},ensure_ascii=False))
for f in (orders,pods,lock,log,patches,shipments,report,tree,series,search,events,source,manual,mixed): f()
