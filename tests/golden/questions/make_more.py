#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes six further data sets. Seeded: python3 make_more.py  (same bytes every time)."""
import html, json, random
from datetime import datetime, timedelta
SEED = 20261203
def R(n): return random.Random(SEED * 100 + n)
def put(name, text):
    with open(name, "w", encoding="utf-8", newline="") as f: f.write(text)
def iso(d): return d.strftime("%Y-%m-%dT%H:%M:%SZ")
def epoch(d): return int((d - datetime(1970, 1, 1)).total_seconds())
def weighted(r, pairs): return r.choices([a for a, _ in pairs], [b for _, b in pairs])[0]

# 1 ---------------------------------------------------------------- hosts
def hosts():
    r = R(1)
    ports = {"nginx": 443, "postgres": 5432, "redis": 6379, "rabbitmq": 5672, "node_exporter": 9100,
             "sshd": 22, "haproxy": 8404, "postfix": 25, "unbound": 53, "jenkins": 8080}
    names = ["%s-%s-%02d" % (a, s, k) for a in "web db cache queue build mon mail dns proxy søk".split()
             for s in "ber fra hel osl waw par".split() for k in range(1, 9)]
    names = sorted(r.sample(names, 300))
    out = {}
    for n in names:
        site = n.split("-")[1]
        t = datetime(2026, 10, 29, 6, 0) + timedelta(minutes=r.randint(0, 2600))
        os_ = weighted(r, [(("Debian", "12.7"), 30), (("Debian", "11.9"), 14), (("Ubuntu", "22.04"), 26), (("Ubuntu", "24.04"), 14),
                           (("Rocky Linux", "9.4"), 12), (("Windows Server", "2022"), 5)])
        h = {"id": "h-%06x" % r.getrandbits(24), "site": site.upper() if r.random() < 0.1 else site,
             "env": weighted(r, [("prod", 50), ("stage", 22), ("dev", 20), ("Prod", 5), ("STAGE", 3)]),
             "ip": "10.%d.%d.%d" % (20 + "ber fra hel osl waw par".split().index(site), r.randint(0, 30), r.randint(2, 250)),
             "os": {"name": os_[0], "version": os_[1], "kernel": "n/a" if "Win" in os_[0] else r.choice(["6.1.0-25", "5.15.0-122", "5.14.0-427", "6.8.0-45"])},
             "cpu": r.choice([2, 4, 8, 8, 16]), "memory_gb": r.choice([4, 8, 16, 32, 64, 128])}
        if r.random() < 0.05: h["memory_gb"] = str(h["memory_gb"])
        h["disks"] = [{"dev": d, "fs": r.choice(["ext4", "ext4", "xfs", "zfs"]), "size_gb": r.choice([40, 80, 120, 250, 500, 960]),
                       "used_pct": round(min(99.4, r.betavariate(3, 2.6) * 100), 1)} for d in ["sda", "sdb", "nvme0n1"][:r.choice([1, 1, 2, 2, 3])]]
        h["tags"] = sorted(r.sample(["pci", "PCI", "edge", "legacy", "gpu", "backup", "dmz", "år-2019"], r.choice([0, 1, 1, 2, 3])))
        if r.random() < 0.04: h["tags"] = ",".join(h["tags"])
        h["services"] = {s: {"port": ports[s], "state": weighted(r, [("running", 88), ("stopped", 8), ("failed", 4)])}
                         for s in r.sample(sorted(ports), r.randint(1, 4))}
        if r.random() < 0.85: h["owner"] = {"team": r.choice(["platform", "Plattform", "payments", "search", "data"]),
                                            "contact": r.choice(["øyvind", "zoe", "ravi", "hana", "søren"]) + "@example.net"}
        x = r.random()
        if x < 0.62: h["last_seen"] = iso(t)
        elif x < 0.78: h["last_seen"] = epoch(t)
        elif x < 0.87: h["last_seen"] = t.strftime("%d.%m.%Y %H:%M")
        elif x < 0.93: h["last_seen"] = (t + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S+01:00")
        elif x < 0.96: h["last_seen"] = None
        elif x < 0.98: h["last_seen"] = "never"
        out[n] = h
    v = list(out.values())
    for i in r.sample(range(300), 9):                       # the operating system as plain text
        v[i]["os"] = v[i]["os"]["name"] + " " + v[i]["os"]["version"]
    v[188]["memory_gb"] = 3072; v[27]["memory_gb"] = "512"
    v[77]["last_seen"] = 1707650220                         # 2024-02-11, the oldest of all
    v[140]["last_seen"] = "2024-05-30T03:12:44Z"; v[231]["last_seen"] = "03.01.2025 17:45"
    v[254]["ip"] = v[66]["ip"]; v[119]["services"]["telegraf"] = {"port": 47113, "state": "running", "note": "temporary, opened by zoe"}
    del v[12]["disks"]; v[205]["disks"] = []; v[280]["services"] = None
    v[45]["decommissioned"] = True; v[46]["decommissioned"] = "yes"
    put("hosts.json", json.dumps(out, ensure_ascii=False))

# 2 ---------------------------------------------------------------- sqltable
def sqltable():
    r = R(2)
    cust = ["Nordlys AS", "Brandt \\| Söhne GmbH", "Café Étoile", "Kowalczyk Sp. z o.o.", "Fjord Foods AB", "Müller Logistik", "Pérez y Hijos",
            "Blue Heron Ltd", "Ostsee Kontor", "Łukasz Meble", "Sisu Oy", "Hafen 7", "Delta \\| Gamma SARL", "O'Hara & Daughters", "Vega Optics",
            "Zürcher Papier", "Polar Print", "Atelier Noël", "Grün+Weiß", "Tiber S.p.A.", "Mistral SA", "Åkesson Bygg"]
    city = dict(zip(cust, ["Tromsø", "Hamburg", "Lyon", "Poznań", "Göteborg", "Hamburg", "Sevilla", "Cork", "Rostock", "Gdańsk", "Oulu", "Hamburg",
                           "Lyon", "Cork", "Bergen", "Zürich", "Tromsø", "Lyon", "Dresden", "Roma", "Marseille", "Malmö"]))
    rows = []; day = datetime(2026, 1, 2); d8 = lambda d: d.strftime("%d/%m/%Y")
    for i in range(895):
        d = day + timedelta(days=int(i * 174 / 895) + r.randint(0, 3)); c = r.choice(cust)
        st = weighted(r, [("paid", 55), ("Paid", 7), ("open", 18), ("overdue", 10), ("OVERDUE", 3), ("cancelled", 4), ("disputed", 2)])
        paid = d8(d + timedelta(days=r.randint(1, 40))) if st.lower() == "paid" and r.random() > 0.04 else ""
        rows.append(["INV-%d" % (88000 + i * 7 + r.randint(0, 5)), c, city[c] if r.random() > 0.03 else "", d8(d), d8(d + timedelta(days=r.choice([14, 30, 30, 60]))),
                     "{:,.2f}".format(r.lognormvariate(7.6, 1.1)), weighted(r, [("EUR", 60), ("SEK", 14), ("PLN", 12), ("NOK", 9), ("CHF", 5)]), st, paid,
                     r.choice(["", "", "", "", "second reminder sent", "split delivery", "PO \\| ref %d" % r.randint(100, 999), "Rechnung per Post", "cost centre %d" % r.randint(10, 60),
                               "awaiting GRN", "discount 2% agreed", "réf. à confirmer"])])
    rows[611][5] = "1,284,990.00"; rows[102][5] = "-3,450.00"; rows[102][9] = "credit note"; rows[733][5] = ""
    rows[318][3] = "31/02/2026"                             # a day that does not exist
    rows[402][3] = "30/06/2026"; rows[402][4] = "30/07/2026"; rows[402][8] = ""; rows[402][7] = "open"
    for k in (59, 377, 690):                                # paid before it was issued
        rows[k][7] = "paid"; d = datetime.strptime(rows[k][3], "%d/%m/%Y"); rows[k][8] = d8(d - timedelta(days=9 + k % 5))
    rows[540][9] = "customer disputes line 4, see case \\| K-20417"
    for a, b in ((33, 35), (250, 251), (250, 470), (602, 640), (871, 880)): rows.insert(b, list(rows[a]))
    h = ["invoice_id", "customer", "city", "issued", "due", "amount", "cur", "status", "paid_on", "remark"]
    o = ["Query returned 900 rows in 0.218 s (database: billing_ro).", "", "| " + " | ".join(h) + " |", "|" + "|".join("---:" if x == "amount" else "---" for x in h) + "|"]
    o += ["| " + " | ".join(x) + " |" for x in rows] + ["", "_Dates are dd/mm/yyyy. No further rows._"]
    put("sqltable.txt", "\n".join(o) + "\n")

# 3 ---------------------------------------------------------------- page
def sentence(r):
    a = ["The broker", "A consumer", "Each partition", "The coordinator", "A retained message", "The write-ahead log", "The session", "A bridge", "The dead-letter queue", "Every listener"]
    b = ["keeps", "flushes", "rejects", "forwards", "compacts", "re-reads", "acknowledges", "delays", "indexes", "replicates"]
    c = ["messages in the order of arrival", "segments that are older than the retention time", "the last known offset", "frames above the agreed size",
         "its state to the other members of the group", "subscriptions with a shared prefix", "pending acknowledgements", "the checksum of every block", "idle connections"]
    d = ["", "", " unless the option says otherwise", " before it answers the client", " while a rebalance is running", " as long as the quorum holds", " &ndash; at most once per second", " (see below)"]
    return "%s %s %s%s." % (r.choice(a), r.choice(b), r.choice(c), r.choice(d))
def paras(r, n): return ["<p>" + " ".join(sentence(r) for _ in range(r.randint(2, 4))) + "</p>" for _ in range(n)]
def page():
    r = R(3); e = html.escape
    tree = {"Overview": ["Terms", "How the parts fit together"], "Quick start": ["Install", "First message"], "Configuration file": ["File format", "Order of precedence", "Environment variables"],
            "Broker options": [], "Storage options": [], "Security options": [], "Limits": ["Limits per plan", "Raising a limit"], "Error codes": ["Client errors", "Server errors"],
            "Metrics": ["Exporter", "Dashboards"], "Client examples": ["Python", "Go", "Shell"], "Migration": ["From 3.x", "From 4.x"], "Changelog": []}
    slug = lambda s: s.lower().replace(" ", "-").replace(".", "")
    facts = {"Order of precedence": "A value from the command line wins over the environment, and the environment over the file; the file <code>lumen.local.toml</code> is read last of the files.",
             "Raising a limit": "Requests for higher limits are answered within 3 working days by capacity@lumen.example.", "Exporter": "The exporter listens on port 9464 and answers within 250&nbsp;ms.",
             "From 3.x": "Run <code>lumen migrate --check</code> first; the migration itself needs about 90 seconds per GiB and cannot be interrupted.",
             "Terms": "A <em>lagoon</em> is a group of partitions that share one write-ahead log.", "First message": "The first message may take up to 4 seconds because the log is created lazily."}
    code = {"Install": [("bash", "curl -fsSL https://get.lumen.example/4.6 | sh\nlumen --version")], "First message": [("bash", "lumen topic create hello --partitions 3\necho 'hi' | lumen produce hello")],
            "File format": [("toml", "[broker]\nlisten = \"0.0.0.0:7410\"\nmax_inflight = 2048\n\n[storage]\npath = \"/var/lib/lumen\""), ("toml", "# h2 is not a heading here\n[security]\ntls = true")],
            "Python": [("python", "from lumen import Client\n\nwith Client('tcp://127.0.0.1:7410') as c:\n    for m in c.consume('hello', batch=50):\n        if m.size > 1 << 20:\n            raise ValueError('too big')\n        m.ack()"),
                       ("python", "c = Client(url, retries=6, backoff=0.4)\nc.produce('hello', b'hi', key='k1')")],
            "Go": [("go", "c, err := lumen.Dial(ctx, \"tcp://127.0.0.1:7410\")\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer c.Close()")], "Shell": [("bash", "lumen consume hello --from earliest | jq .value")],
            "From 3.x": [("bash", "lumen migrate --check\nlumen migrate --to 4.6")], "Exporter": [("yaml", "scrape_configs:\n  - job_name: lumen\n    static_configs:\n      - targets: ['127.0.0.1:9464']")]}
    words = "queue session batch flush lease cache segment retry quorum index frame window buffer snapshot mirror replay".split()
    ends = "timeout size limit interval mode threads ratio path policy level".split()
    val = {"timeout": ("duration", ["5s", "30s", "2m", "750ms"]), "interval": ("duration", ["1s", "10s", "15m"]), "size": ("bytes", ["64KiB", "1MiB", "16MiB", "512KiB"]), "limit": ("integer", ["100", "1000", "4096", "25000"]),
           "mode": ("enum", ["auto", "strict", "lazy"]), "threads": ("integer", ["2", "4", "8"]), "ratio": ("float", ["0.25", "0.5", "0.85"]), "path": ("path", ["/var/lib/lumen", "/tmp"]), "policy": ("enum", ["drop-old", "block", "none"]), "level": ("integer", ["1", "3", "6"])}
    def options(pre, n, dep):
        o = ['<table class="options">', "<thead><tr><th>Option</th><th>Type</th><th>Default</th><th>Reload</th><th>Since</th><th>Description</th></tr></thead>", "<tbody>"]
        names = sorted(r.sample([w + "_" + x for w in words for x in ends], n))
        for i, k in enumerate(names):
            ty, vs = val[k.rsplit("_", 1)[1]]; de = r.choice(vs) if r.random() > 0.06 else ""
            text = sentence(r)
            if i in dep: text = '<span class="badge badge-deprecated">deprecated</span> Use <code>%s.%s</code> instead. ' % (pre, names[i - 2]) + text
            o.append('<tr id="opt-%s-%s"><td><code>%s.%s</code></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>' % (
                pre, k.replace("_", "-"), pre, k, ty, "<code>%s</code>" % de if de else "&mdash;", r.choice(["yes", "yes", "no"]), weighted(r, [("3.0", 8), ("4.0", 6), ("4.2", 4), ("4.5", 3), ("4.6", 2)]), text))
        return o + ["</tbody>", "</table>"]
    o = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">', "<title>Configuration reference &middot; Lumen Broker 4.6</title>",
         '<link rel="canonical" href="https://docs.lumen.example/4.6/reference/configuration.html">', "<style>", ".badge{font-size:11px;border-radius:3px}", ".badge-deprecated{background:#fdd}", "table.options td{padding:4px 8px}", "</style>",
         '<script type="application/ld+json">{"@type":"TechArticle","name":"Configuration reference","dateModified":"2026-09-22","version":"4.6"}</script>', "</head>", "<body>",
         '<header><a class="logo" href="/">Lumen Broker</a><form role="search"><input name="q" placeholder="Search the docs"></form>', '<select id="version"><option>4.6</option><option>4.5</option><option>4.2</option><option>3.9</option></select></header>',
         '<nav class="sidebar" aria-label="Main">', "<ul>"]
    for g in ["Getting started", "Guides", "Reference", "Operations", "Clients", "Release notes"]:
        o += ["<li><span>%s</span>" % g, "<ul>"]
        for p in r.sample(["Concepts", "Install", "Topics", "Schemas", "Bridges", "Backups", "Tracing", "Quotas", "Kubernetes", "Terraform", "Tuning", "FAQ", "Events", "Plug-ins"], r.randint(5, 9)):
            o.append('<li><a href="/4.6/%s/%s.html">%s</a>%s</li>' % (slug(g), slug(p), p, ' <span class="badge">new</span>' if r.random() < 0.09 else ""))
        o += ["</ul></li>"]
    o += ["</ul>", "</nav>", '<nav class="toc" aria-label="On this page"><ul>'] + ['<li><a href="#%s">%s</a></li>' % (slug(h), h) for h in tree] + ["</ul></nav>", "<main>", "<article>",
          '<ol class="breadcrumbs"><li>Docs</li><li>Reference</li><li>Configuration</li></ol>', '<h1 id="configuration-reference">Configuration reference</h1>'] + paras(r, 2)
    codes = [(4001, 400, "malformed frame"), (4003, 401, "token expired"), (4004, 403, "topic not allowed"), (4009, 409, "offset already committed"), (4013, 413, "message above the limit"), (4017, 429, "too many open sessions"), (4022, 422, "schema does not match"),
             (4040, 404, "unknown topic"), (5001, 500, "write-ahead log damaged"), (5003, 503, "no quorum"), (5007, 507, "disk full"), (5011, 504, "mirror did not answer"), (5019, 500, "clock moved backwards"), (5030, 503, "rebalance in progress")]
    what = ["check the client version", "ask for a new token", "ask the owner of the topic", "read the offset again", "raise <code>broker.frame_limit</code>", "close idle sessions or raise the quota", "register the schema", "create the topic first",
            "restore from a snapshot", "start the missing members", "free space, then run <code>lumen resume</code>", "look at the link to the mirror", "repair the time service", "wait and retry"]
    for h, subs in tree.items():
        o += ['<section>', '<h2 id="%s">%s<a class="anchor" href="#%s">&para;</a></h2>' % (slug(h), h, slug(h))] + paras(r, 2)
        if h == "Broker options": o += ["<!-- broker.max_inflight default was 1024 before 4.2 -->"] + options("broker", 46, (5, 19)) + ['<p>See also <a href="#opt-broker-burst-credit">burst credit</a> and <a href="#limits">Limits</a>.</p>']
        if h == "Storage options": o += options("storage", 34, (11,)) + ['<p>Compaction is described in <a href="#storage-compaction">Compaction</a>.</p>']
        if h == "Security options": o += options("security", 27, (8, 20)) + ['<div class="admonition warning"><p>Tokens are never logged. Passwords in the file must be quoted.</p></div>']
        if h == "Changelog":
            o.append('<ul class="changelog">')
            for v, d in [("4.6.2", "2026-09-22"), ("4.6.1", "2026-07-30"), ("4.6.0", "2026-06-15"), ("4.5.3", "2026-03-03"), ("4.5.0", "2025-12-01"), ("4.2.0", "2025-05-19"), ("4.0.0", "2024-10-07"), ("3.9.8", "2024-09-12")]:
                o.append("<li><strong>%s</strong> (%s)<ul>%s</ul></li>" % (v, d, "".join("<li>%s</li>" % (r.choice(["Fixed: ", "Added: ", "Changed: "]) + sentence(r)) for _ in range(r.randint(2, 5)))))
            o.append("</ul>")
        for s in subs:
            o += ['<h3 id="%s">%s</h3>' % (slug(s), s)] + paras(r, r.randint(3, 5))
            if s in facts: o.append("<p>%s</p>" % facts[s])
            for lang, c in code.get(s, []): o += ['<pre><code class="language-%s">%s</code></pre>' % (lang, e(c))]
            if s == "Limits per plan":
                o += ["<table>", "<thead><tr><th>Limit</th><th>Free</th><th>Team</th><th>Business</th><th>Enterprise</th></tr></thead>", "<tbody>"]
                for k, vs in [("Topics", "10 200 2,000 no limit"), ("Partitions per topic", "3 24 96 512"), ("Message size", "64&nbsp;KiB 1&nbsp;MiB 4&nbsp;MiB 32&nbsp;MiB"), ("Retention", "1&nbsp;day 14&nbsp;days 60&nbsp;days 400&nbsp;days"), ("Open sessions", "25 750 9,000 60,000"), ("Mirrors", "0 1 3 12")]:
                    vs = vs.split(" ", 3); o.append("<tr><td>%s</td>%s</tr>" % (k, "".join("<td>%s</td>" % x for x in vs)))
                o += ["</tbody>", "</table>"]
            if s in ("Client errors", "Server errors"):
                o += ["<table>", "<thead><tr><th>Code</th><th>HTTP</th><th>Meaning</th><th>What to do</th></tr></thead>", "<tbody>"]
                o += ["<tr><td>LB-%d</td><td>%d</td><td>%s</td><td>%s</td></tr>" % (c, w, m, what[i]) for i, (c, w, m) in enumerate(codes) if (c < 5000) == (s[0] == "C")] + ["</tbody>", "</table>"]
            if s == "Environment variables": o += ["<ul>"] + ["<li><code>%s</code>: %s</li>" % x for x in [("LUMEN_CONFIG", "path of the file"), ("LUMEN_LOG", "level, default <code>info</code>"), ("LUMEN_TOKEN", "token for scripts"), ("LUMEN_NO_PAGER", "turns the pager off")]] + ["</ul>"]
            if s == "Install": o += ["<ol>", "<li>Download the package.</li>", "<li>Check the signature with key <code>7C2E 91AF</code>.</li>", "<li>Run the installer.</li>", "</ol>"]
            if s == "Dashboards": o += ['<div class="admonition note"><p>See <a href="#metric-names">the names of the metrics</a> and <a href="#exporter">Exporter</a>.</p></div>']
        o.append("</section>")
    o += ["</article>", "</main>", "<footer><p>Last updated on 22 September 2026 by Ingrid Åsen. &copy; Lumen Oy</p>", '<a href="/privacy">Privacy</a> <a href="/4.6/search.html">Search</a></footer>',
          "<script>window.analytics=window.analytics||[];analytics.push(['page','configuration']);</script>", "</body>", "</html>"]
    put("page.txt", "\n".join(o) + "\n")

# 4 ---------------------------------------------------------------- trace
JAVA_TRACE = """[ERROR] com.acme.settle.SettlementServiceTest.settlesBatchAcrossMidnight  Time elapsed: 2.118 s  <<< ERROR!
com.acme.settle.SettlementException: batch 40917 could not be settled
\tat com.acme.settle.SettlementService.settle(SettlementService.java:142)
\tat com.acme.settle.SettlementService.run(SettlementService.java:88)
\tat com.acme.settle.SettlementServiceTest.settlesBatchAcrossMidnight(SettlementServiceTest.java:231)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)
\tat org.junit.platform.commons.util.ReflectionUtils.invokeMethod(ReflectionUtils.java:727)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1596)
Caused by: com.acme.store.StoreException: cannot append to journal 'settle-eu'
\tat com.acme.store.Journal.append(Journal.java:311)
\tat com.acme.store.Journal.appendAll(Journal.java:287)
\tat com.acme.settle.SettlementService.settle(SettlementService.java:137)
\t... 5 more
Caused by: java.time.DateTimeException: Invalid value for HourOfDay (valid values 0 - 23): 24
\tat java.base/java.time.temporal.ValueRange.checkValidValue(ValueRange.java:319)
\tat java.base/java.time.LocalTime.of(LocalTime.java:296)
\tat com.acme.store.JournalClock.slot(JournalClock.java:64)
\tat com.acme.store.Journal.append(Journal.java:304)
\t... 7 more""".split("\n")
PY_TRACE = """=================================== FAILURES ===================================
_________________________ test_tax_rounding_for_refund _________________________
Traceback (most recent call last):
  File "/ci/work/py/tests/test_tax.py", line 117, in test_tax_rounding_for_refund
    total = refund_total(order, country="NO")
  File "/ci/work/py/acme/refund.py", line 58, in refund_total
    return sum(tax_for(line, country) for line in order.lines)
  File "/ci/work/py/acme/refund.py", line 58, in <genexpr>
    return sum(tax_for(line, country) for line in order.lines)
  File "/ci/work/py/acme/tax.py", line 203, in tax_for
    rate = RATES[country][line.category]
KeyError: 'books-øre'
=========================== short test summary info ============================
FAILED tests/test_tax.py::test_tax_rounding_for_refund - KeyError: 'books-øre'""".split("\n")
def trace():
    r = R(4); B = {}                                        # one list of lines for each stage
    B["checkout"] = ["Cloning https://git.acme.example/pay/settlement.git", "HEAD is now at 9c41e07 settle: use journal clock (#2284)"] + ["Fetched submodule third_party/%s" % x for x in ("proto", "fixtures", "i18n")]
    pk = ["settle", "store", "api", "ledger", "notify", "rates", "report", "auth"]
    comp = ["[INFO] --- compiler:3.13.0:compile (default-compile) @ settlement ---", "[INFO] Compiling 412 source files with javac [debug release 21] to target/classes"]
    for _ in range(128):
        cat, m = weighted(r, [(("deprecation", "%s() in %s has been deprecated"), 46), (("unchecked", "unchecked call to %s(T) as a member of the raw type %s"), 30), (("rawtypes", "found raw type: %s.%s"), 17), (("removal", "%s() in %s has been deprecated and marked for removal"), 7)])
        p = r.choice(pk); c = r.choice(["Batch", "Rate", "Error", "Store", "Mail", "Token"]) + r.choice(["Mapper", "Client", "Service", "Cache", "Filter"])
        comp.append("[WARNING] src/main/java/com/acme/%s/%s.java:[%d,%d] [%s] %s" % (p, c, r.randint(12, 480), r.randint(5, 60), cat, m % (r.choice(["load", "merge", "close", "getYear"]), c)))
    B["compile"] = comp + ["[INFO] BUILD SUCCESS: 0 errors, 128 warnings"]
    tests = ["[INFO] -------------------------------------------------------", "[INFO]  T E S T S", "[INFO] -------------------------------------------------------"]
    cl = [(p, a + b + "Test") for p in pk for a in ["Batch", "Rate", "Error", "Store", "Mail", "Token", "Retry", "Failure"] for b in ["Mapper", "Client", "Service", "Cache", "Filter"]]
    cl = r.sample(cl, 186); cl[131] = ("settle", "SettlementServiceTest"); n = sk = 0; skipped = {20: "DST-4411", 77: "needs docker", 90: "flaky on arm64", 118: "DST-4411", 160: "needs licence file"}
    for i, (p, c) in enumerate(cl):
        q = "com.acme.%s.%s" % (p, c); k = r.randint(2, 24); t = round(r.lognormvariate(-0.6, 0.9), 3); s = 0
        tests.append("[INFO] Running " + q)
        for _ in range(r.choice([0, 0, 0, 1, 2])):
            tests.append(r.choice(["10:0%d WARN  %s - retry %d of 3 after simulated failure" % (r.randint(0, 9), c, r.randint(1, 3)), "10:0%d ERROR %s - expected error in test: connection refused" % (r.randint(0, 9), c),
                                   "10:0%d INFO  %s - 0 failed, %d ok" % (r.randint(0, 9), c, r.randint(3, 90)), "10:0%d DEBUG %s - Größe %d bytes" % (r.randint(0, 9), c, r.randint(90, 9000))]))
        if i in skipped: s = 1; tests.append("[WARNING] %s.%s SKIPPED: %s" % (q, r.choice(["survivesClockChange", "reportsErrorTwice", "loadsAll", "keepsOrder", "writesFooter"]), skipped[i]))
        if i == 63: t = 71.904
        if c == "SettlementServiceTest": tests += JAVA_TRACE
        if i == 145: tests += ["[WARNING] %s.reconnectsAfterError: attempt 1 failed (timeout after 5000 ms)" % q, "[WARNING] %s.reconnectsAfterError: attempt 2 failed (timeout after 5000 ms)" % q, "[INFO] %s.reconnectsAfterError: attempt 3 passed, marked as flaky" % q]
        e = 1 if c == "SettlementServiceTest" else 0; n += k; sk += s
        tests.append("[%s] Tests run: %d, Failures: 0, Errors: %d, Skipped: %d, Time elapsed: %.3f s - in %s" % ("ERROR" if e else "WARNING" if s else "INFO", k, e, s, t, q))
    tests += ["[ERROR] Tests run: %d, Failures: 0, Errors: 1, Skipped: %d" % (n, sk), "[INFO] unit-java finished with failures, continuing (fail-at-end)"]
    B["unit-java"] = tests
    py = []; tot = [0, 0, 0]
    for shard in (1, 2, 3):
        py += ["============================= test session starts ==============================", "platform linux -- Python 3.12.6, pytest-8.3.2, shard %d of 3" % shard]
        names = []
        while len(names) < (262, 271, 254)[shard - 1]:
            x = "tests/test_%s.py::test_%s_%s_%s" % (r.choice(["api", "tax", "refund", "mail", "cli", "export", "parse"]), r.choice(["load", "reject", "keep", "error", "render", "failed", "sort", "merge"]),
                                                   r.choice(["batch", "rate", "header", "row", "error", "token", "empty", "timeout"]), "s%d_%02d" % (shard, r.randint(0, 30)))
            if x not in names: names.append(x)
        names.sort(); ok = sk2 = 0
        for i, x in enumerate(names):
            if r.random() < 0.02: py.append("%s SKIPPED (%s) [%3d%%]" % (x, r.choice(["no network", "slow", "Windows only"]), (i + 1) * 100 // len(names))); sk2 += 1
            else: py.append("%s PASSED [%3d%%]" % (x, (i + 1) * 100 // len(names))); ok += 1
        bad = 0
        if shard == 2: py.append("tests/test_tax.py::test_tax_rounding_for_refund FAILED [100%]"); py += PY_TRACE; bad = 1
        py.append("=================== %d passed, %d failed, %d skipped in %.2fs ===================" % (ok, bad, sk2, 40 + r.random() * 50)); tot = [tot[0] + ok, tot[1] + bad, tot[2] + sk2]
    B["unit-python"] = py
    lint = []
    for _ in range(47): lint.append("py/acme/%s.py:%d:%d: %s" % (r.choice(["refund", "tax", "export", "cli", "mail"]), r.randint(1, 320), r.randint(1, 90), weighted(r, [("W291 trailing whitespace", 20), ("E501 line too long (104 > 99)", 12), ("F401 'os' imported but unused", 7), ("C901 'render' is too complex (14)", 4)])))
    B["lint"] = lint + ["47 warnings, 0 errors"]
    B["package"] = ["Step %d/14 : %s" % (i + 1, x) for i, x in enumerate(["FROM eclipse-temurin:21-jre", "LABEL team=pay"] + ["COPY target/lib/%02d /app/lib" % k for k in range(9)] + ["USER 10001", "EXPOSE 8443", 'ENTRYPOINT ["java","-jar","/app/settlement.jar"]'])] + ["Built image registry.acme.example/pay/settlement:9c41e07 (318 MB)", "image not pushed: earlier stages failed"]
    B["artifacts"] = ["Uploading %s (%s)" % x for x in [("surefire-reports.zip", "4.2 MB"), ("pytest-junit.xml", "611 kB"), ("coverage.tar.gz", "18.7 MB"), ("settlement-9c41e07.sbom.json", "902 kB")]]
    order = ["checkout", "resolve", "compile", "unit-java", "unit-python", "lint", "package", "artifacts"]
    need = 2500 - sum(map(len, B.values())) - 8 * 2 - 19     # two marker lines for each stage, 19 lines of summary
    g = ["org/slf4j/slf4j-api", "com/fasterxml/jackson-core", "io/netty/netty-common", "org/error-prone/annotations", "org/junit/junit-api", "com/acme/fail-safe", "org/yaml/snake", "io/grpc/grpc-core"]
    B["resolve"] = ["Downloaded %s/%d.%d.%d (%d kB)" % (r.choice(g), r.randint(1, 9), r.randint(0, 30), r.randint(0, 12), r.randint(4, 3900)) for _ in range(need)]
    B["resolve"][need // 2] = "WARNING: mirror repo2.acme.example answered 503, falling back to central"
    step = {"checkout": 2, "resolve": 0.25, "compile": 0.5, "unit-java": 0.6, "unit-python": 0.3, "lint": 0.3, "package": 4, "artifacts": 6}
    t = datetime(2026, 11, 3, 9, 58, 12); L = []; dur = {}
    bad = ("unit-java", "unit-python")
    for s in order:
        t0 = t; L.append((t, "==> stage %s started" % s))
        for x in B[s]: t += timedelta(seconds=step[s] * r.random() * 2 + (71 if "elapsed: 71.904" in x else 0)); L.append((t, x))
        t += timedelta(seconds=1); dur[s] = int((t.replace(microsecond=0) - t0.replace(microsecond=0)).total_seconds()); L.append((t, "<== stage %s %s" % (s, "FAILED" if s in bad else "ok")))
    S = ["", "================ SUMMARY ================", "job      pay/settlement #18342", "commit   9c41e07 by Ingrid Åsen", "%-12s %-7s %s" % ("stage", "result", "time")]
    S += ["%-12s %-7s %02d:%02d" % (s, "FAILED" if s in bad else "ok", dur[s] // 60, dur[s] % 60) for s in order]
    S += ["java     %d run, 1 failed, %d skipped, 1 flaky" % (n, sk), "python   %d passed, 1 failed, %d skipped" % (tot[0], tot[2]), "lint     0 errors, 47 warnings", "coverage 83.4% (before: 84.9%, required: 82.0%)", "cache    saved 1.9 GB under key m2-21-7be0", "Job failed with exit code 3."]
    L += [(t + timedelta(seconds=1), x) for x in S]
    put("trace.txt", "\n".join((a.strftime("%H:%M:%S") + " " + b).rstrip() for a, b in L) + "\n")

# 5 ---------------------------------------------------------------- tickets
def tickets():
    r = R(5); who = ["anna.m", "ravi", "zoë.k", "pavel", "hana", "søren", "build-bot", "j.ortiz"]; out = []
    what = ["I can reproduce this on %s with the data of the customer.", "The graph of %s shows the same dip at night.", "Rolled back %s, no change.", "Asked the vendor of %s, no answer yet.", "Pull request for %s is up, please review.",
            "Not sure that %s is to blame; the queue was long before.", "Tests for %s are green now.", "Könnte an %s liegen, ich prüfe das morgen.", "Moved the limit of %s to the config file.", "Customer confirms that %s behaves after the restart.",
            "We should split %s from this ticket.", "Added a log line in %s, please wait for the next run."]
    part = ["the importer", "`ledger-api`", "node 7", "the EU cluster", "the nightly job", "`cache.ttl`", "the PDF renderer", "the mail gateway", "the Øst region", "schema v12"]
    titles = ["Nightly import stalls at 97 %", "Invoice PDF shows wrong VAT", "Login loop after password reset", "Search misses umlauts", "Export to CSV drops the last row", "Memory grows in ledger-api", "Webhook is sent twice",
              "Report of open items is slow", "Clock skew breaks tokens", "Rounding differs in SEK", "Attachment upload fails above 20 MB", "Audit log lacks the user"]
    flow = ["Open", "In Progress", "In Review", "Testing", "Done"]
    for i, ti in enumerate(titles):
        key = "PAY-%d" % (3101 + i * 17); t = datetime(2026, 6, 1, 8, 0) + timedelta(days=i * 6, minutes=r.randint(0, 500)); c0 = t
        n = [31, 58, 24, 40, 22, 60, 36, 28, 45, 20, 33, 50][i]; long = 2 if n < 27 else 1
        d = ["## Summary", "", " ".join(r.choice(what) % r.choice(part) for _ in range(14)), "", "## Steps to reproduce", ""] + ["%d. %s" % (k + 1, r.choice(what) % r.choice(part)) for k in range(r.randint(3, 6))]
        d += ["", "## Expected", "", "The run ends within %d minutes and writes %d rows." % (r.randint(3, 40), r.randint(500, 90000)), "", "```", "$ ledgerctl status --id %d" % r.randint(10000, 99999), "state: degraded", "# last error: E_%s" % r.choice(["TIMEOUT", "LOCKED", "PARSE"]), "```", "",
              "## Acceptance criteria", ""] + ["- [%s] %s" % (r.choice("x  "), r.choice(what) % r.choice(part)) for _ in range(r.randint(4, 9))] + ["", "| Environment | Version |", "|---|---|", "| prod | 7.%d.%d |" % (r.randint(0, 9), r.randint(0, 20)), "| stage | 7.%d.0 |" % r.randint(5, 12)]
        com = []; a = t
        for k in range(n):
            a += timedelta(minutes=r.randint(10, 1500))
            x = {"id": 700000 + i * 1000 + k * 3, "author": r.choices(who, [20, 16, 12, 10, 9, 7, 22, 4])[0], "created": iso(a), "body": " ".join(r.choice(what) % r.choice(part) for _ in range(r.randint(1, 2) * long + (k % 9 == 4)))}
            if r.random() < 0.12: x["internal"] = True
            if r.random() < 0.05: x["edited"] = iso(a + timedelta(hours=1))
            com.append(x)
        log = []; a = t; st = "Open"
        def change(field, f, to): log.append({"at": iso(a), "by": r.choice(who[:6]), "field": field, "from": f, "to": to})
        for k in range(r.randint(9, 18)):
            a += timedelta(minutes=r.randint(60, 2400)); x = r.random()
            if x < 0.5 and st != "Done":
                nx = flow[flow.index(st) + 1] if r.random() < 0.75 or st == "Open" else flow[flow.index(st) - 1]
                change("status", st, nx); st = nx
            elif x < 0.7: change("assignee", r.choice(who[:6] + [None]), r.choice(who[:6]))
            elif x < 0.85: change("priority", r.choice(["Low", "Medium"]), r.choice(["High", "Medium"]))
            else: change("labels", "", r.choice(["customer", "eu", "regression"]))
        if i in (3, 8):                                     # came back after it was done
            for f, to in ([("x", "Done"), ("Done", "Open"), ("Open", "In Progress")] if i == 3 else [("x", "Done"), ("Done", "Open"), ("Open", "Done"), ("Done", "Open")]):
                a += timedelta(hours=30); f = st if f == "x" else f
                if f != to: change("status", f, to)
                st = to
        tk = {"key": key, "title": ti, "type": r.choice(["Bug", "Bug", "Task"]), "status": st, "priority": r.choice(["High", "Medium", "Low", "high"]), "reporter": r.choice(who[:6]), "assignee": r.choice(who[:6]),
              "components": r.sample(["billing", "import", "auth", "ui", "reports"], r.randint(1, 3)), "created": iso(c0), "estimate_h": r.choice([4, 8, 16, 24, 40]), "spent_h": round(r.random() * 60, 1), "description": "\n".join(d),
              "attachments": [{"name": "%s-%d.%s" % (r.choice(["trace", "screen", "dump", "übersicht", "log"]), r.randint(10, 99), r.choice(["png", "txt", "zip", "hprof"])), "size": int(r.lognormvariate(12.5, 1.6)), "by": r.choice(who[:6])} for _ in range(r.randint(0, 6))],
              "changelog": log, "comments": com}
        out.append(tk)
    out[5]["comments"][41]["body"] += " The heap dump shows 61 million entries in PendingAckMap, nothing ever removes them."
    out[9]["comments"][13]["body"] = "Root cause: the rate table is rounded half-even, the old service rounded half-up. Fixed in 7.8.3."
    out[1]["comments"][50]["created"] = "2025-06-08T10:00:00Z"  # before the ticket was made
    out[6]["assignee"] = None; del out[10]["assignee"]; out[2]["estimate_h"] = "16"; out[7]["comments"][9]["author"] = None; out[11]["spent_h"] = 214.5
    out[4]["attachments"].append({"name": "dump-full.hprof", "size": 734003200, "by": "ravi"})
    put("tickets.json", json.dumps(out, ensure_ascii=False, indent=1))

# 6 ---------------------------------------------------------------- metrics
def metrics():
    r = R(6); end = datetime(2026, 10, 20, 0, 0); S = {}
    #        name                      unit       step  points base  spread warn  crit direction outlier form
    spec = [("api.latency_p95",        "ms",        30, 560, 180,   22,   225,  400, "above",  2943.5, "pairs"),
            ("api.requests",           "1/s",       60, 620, 340,   40,   480,  600, "above",  1822.0, "pairs"),
            ("db.connections",         "count",     60, 480, 62,     9,    90,  120, "above",  197,    "objects"),
            ("disk.free",              "GiB",      300, 570, 410,   14,   300,  150, "below",  3.2,    "pairs"),
            ("queue.depth",            "messages", 120, 500, 1500, 260,  2400, 4000, "above",  88120,  "text"),
            ("cpu.load",               "percent",  300, 430, 47,     8,    70,   90, "above",  99.7,   "columns"),
            ("room.temperature",       "°C",       900, 330, 22.5,   1,    26,   30, "above",  -40.0,  "objects"),
            ("backup.duration",        "s",       3600, 240, 1260, 140,  1700, 2400, "above",  9805,   "pairs")]
    stats = {}
    for name, unit, step, n, base, spread, warn, crit, way, odd, form in spec:
        t0 = end - timedelta(seconds=step * n); v = []; x = 0.0; at = r.randint(n // 4, n * 3 // 4)
        for k in range(n):
            x = 0.86 * x + r.gauss(0, spread * 0.55); y = base + x + (spread if (k * step // 21600) % 4 == 2 else 0)
            y = int(y) if unit in ("count", "messages") else round(y, 2)
            v.append(None if r.random() < 0.012 and k not in (at, n - 1) else y)
        v[at] = odd; v[n - 3] = None; drop = set()           # every series has a null near its end
        if form != "columns":                               # gaps: points left out
            for g in range(r.randint(2, 4)):
                p = r.randint(5, n - 40)
                drop |= {q for q in range(p, p + r.randint(3, 8) + 7 * g) if q != at}
        ts = [(t0 + timedelta(seconds=step * k), v[k]) for k in range(n) if k not in drop]
        nums = [b for _, b in ts if b is not None]
        stats[name] = {"min": min(nums), "max": max(nums), "last": ts[-1][1], "samples": len(ts)}
        m = {"unit": unit, "step_seconds": step, "labels": {"host": "all" if "." in name and name[0] == "a" else r.choice(["brage", "tyr", "freyja"]), "source": r.choice(["prometheus", "agent"])},
             "threshold": {"direction": way, "warn": warn, "crit": crit}}
        if form == "pairs": m["points"] = [[epoch(a), b] for a, b in ts]
        if form == "text": m["points"] = [[epoch(a), None if b is None else str(b)] for a, b in ts]
        if form == "objects": m["points"] = [{"t": iso(a), "v": b} for a, b in ts]
        if form == "columns": m["start"] = iso(t0); m["values"] = v
        S[name] = m
    S["backup.duration"]["threshold"]["crit"] = None
    stats["db.connections"]["max"] = 143                    # does not agree with the points
    summary = {"window": {"to": iso(end), "timezone": "UTC"}, "stats": stats,
               "slo": {"checkout": {"target_pct": 99.9, "actual_pct": 99.871, "budget_left_pct": -29.0, "burn": {"1h": 0.4, "6h": 2.2, "3d": 1.3}}, "search": {"target_pct": 99.5, "actual_pct": 99.82, "budget_left_pct": 64.0, "burn": {"1h": 0.1, "6h": 0.3, "3d": 0.4}},
                       "mail": {"target_pct": 99.0, "actual_pct": 99.34, "budget_left_pct": 34.0, "burn": {"1h": 0.0, "6h": 0.7, "3d": 0.9}}},
               "alerts": [{"series": "queue.depth", "level": "crit", "acked_by": "hana", "minutes": 14}, {"series": "disk.free", "level": "crit", "acked_by": None, "minutes": 5}, {"series": "api.latency_p95", "level": "warn", "acked_by": "søren", "minutes": 31},
                          {"series": "cpu.load", "level": "warn", "acked_by": None, "minutes": 9}], "hosts_silent": ["loke", "ymir"]}
    put("metrics.json", json.dumps({"query": "fleet overview", "generated_at": iso(end + timedelta(seconds=41)), "series": S, "summary": summary, "truncated": False}, ensure_ascii=False))
if __name__ == "__main__":
    for f in (hosts, sqltable, page, trace, tickets, metrics): f()
