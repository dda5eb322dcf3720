#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gateway with several upstreams, watched from outside: /metrics, /healthz, its log, `enfold top`.

  observe_test.py ENFOLD UPSTREAM EXAMPLE_HELLO
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import unittest

from live import PATIENCE, Client, Gateway, Played

ENFOLD, UPSTREAM, HELLO = sys.argv[1:4]
TRACE = "0af7651916cd43dd8448eb211c80319c"


def config(more="", address="127.0.0.1:0", top=""):
    return (f'archive = "archive.db"\nbudget = 500\n{top}\n[listen]\naddress = "{address}"\n{more}\n'
            f'[upstreams.old]\ncommand = "{UPSTREAM}"\nargs = ["sessions"]\nallow_unlisted_tools = true\n'
            f'[upstreams.new]\ncommand = "{UPSTREAM}"\nargs = ["stateless"]\n'
            f'[upstreams.hello]\ncommand = "{HELLO}"\n')


def rows(count):
    return json.dumps({"structuredContent": {"rows": [{"id": i, "title": "Search forgets its filters"} for i in range(count)]},
                       "content": []})


def use(gateway):
    """Of each upstream something, in both eras."""
    for era in ("modern", "legacy"):
        client = Client(gateway.port, era)
        for tool, arguments in (("old__echo", {"a": 1}), ("new__echo", {"a": 1}), ("hello__greet", {"name": "Ada"}),
                                ("new__result", {"raw": rows(500)})):
            answer = client.call(tool, arguments)
            assert not answer["result"].get("isError"), answer
        failed = client.call("old__crash", {})
        assert failed["result"]["structuredContent"]["data"]["error_code"] == "UPSTREAM_UNAVAILABLE", failed
        client.close()


def top(*arguments, **more):
    return subprocess.run([ENFOLD, "top", *arguments], capture_output=True, text=True, timeout=PATIENCE, **more)


class Observed(unittest.TestCase):
    def test_metrics_health_and_top_say_the_same(self):
        with Gateway(ENFOLD, config()) as gateway:
            use(gateway)
            status, health = gateway.get("/healthz")
            self.assertEqual((status, json.loads(health)["status"]), (200, "ok"))
            self.assertEqual(set(json.loads(health)["upstreams"]), {"old", "new", "hello"})
            status, page = gateway.get("/metrics")
            self.assertEqual(status, 200)
            for line in ('enfold_tool_calls_total{upstream="old",tool="echo",outcome="ok"} 2',
                         'enfold_tool_calls_total{upstream="old",tool="(unknown)",outcome="failed"} 2',
                         'enfold_tool_calls_total{upstream="hello",tool="greet",outcome="ok"} 2',
                         'enfold_tool_answers_total{upstream="new",tool="result",fidelity="partial"} 2',
                         "enfold_sessions 1", "enfold_archive_entries 1"):
                self.assertIn(f"\n{line}\n", page)
            shown = top("--once", "--url", gateway.url)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertRegex(shown.stdout, r"(?m)^enfold \S+  http://127.0.0.1:\d+/mcp  ready  1 session  0 open calls$")
            self.assertRegex(shown.stdout, r"(?m)^archive    1 answer, ")
            self.assertRegex(shown.stdout, r"(?m)^old +echo +2 +0\.0 +2 +0 +\S+ms +\S+ms +\d+ → \d+ +2 +0 +0 B$")
            self.assertRegex(shown.stdout, r"(?m)^old +\(unknown\) +2 +0\.0 +0 +2 ")
            figures = json.loads(top("--once", "--json", "--url", gateway.url).stdout)
            tools = {(tool["upstream"], tool["tool"]): tool for tool in figures["tools"]}
            result = tools["new", "result"]
            self.assertEqual((result["calls"], result["outcomes"], result["fidelity"]), (2, {"ok": 2}, {"partial": 2}))
            self.assertLess(result["tokens_after"], 2 * 501)
            self.assertGreater(result["tokens_before"], 5 * result["tokens_after"])
            self.assertEqual(result["archived_bytes"], 2 * len(rows(500)))
            self.assertGreater(result["p99_ms"], 0)

    def test_top_goes_on_until_q(self):
        with Gateway(ENFOLD, config()) as gateway:
            played = Played([ENFOLD, "top", "--url", gateway.url, "--interval", "1"], {**os.environ, "TERM": "xterm"})
            played.read_until("No tool has been called yet.")
            client = Client(gateway.port)
            client.call("new__echo", {})
            client.close()
            played.read_until("echo")
            played.type("q")
            self.assertEqual(played.end(), 0, played.printed)

    def test_top_ends_by_itself_without_a_terminal(self):
        with Gateway(ENFOLD, config()) as gateway:
            once = top("--json", "--url", gateway.url)
            self.assertEqual((once.returncode, len(once.stdout.splitlines())), (0, 1), once.stderr)
            twice = top("--json", "--count", "2", "--interval", "1", "--url", gateway.url)
            self.assertEqual((twice.returncode, len(twice.stdout.splitlines())), (0, 2), twice.stderr)

    def test_top_without_a_terminal_fails_when_the_gateway_does(self):
        for form in ([], ["--json"]):
            with self.subTest(form), Gateway(ENFOLD, config()) as gateway:
                command = [ENFOLD, "top", "--count", "3", "--interval", "1", "--url", gateway.url, *form]
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.assertNotEqual(process.stdout.readline(), "")
                gateway.process.terminate()
                gateway.process.wait(PATIENCE)
                out, err = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 1, out)
                self.assertTrue(err.startswith("error: "), err)
                self.assertNotIn("connect", out)

    def test_top_says_what_is_wrong(self):
        self.assertEqual(top("--once", "--count", "5").returncode, 5)
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            port = nobody.getsockname()[1]
        ended = top("--once", "--url", f"http://127.0.0.1:{port}/mcp")
        self.assertNotEqual(ended.returncode, 0)
        self.assertTrue(ended.stderr.startswith("error: "), ended.stderr)
        self.assertEqual(top("--once", "--url", "gopher://x").returncode, 5)
        with Gateway(ENFOLD, config("[observe]\nmetrics = false")) as gateway:
            ended = top("--once", "--url", gateway.url)
            self.assertIn("found status 404", ended.stderr)
            self.assertIn("[observe] metrics = true", ended.stderr)

    def test_nothing_is_shown_beyond_loopback_unless_somebody_says_so(self):
        for more, want in (("", (404, 404)), ("[observe]\nhealth = true", (404, 200)),
                           ("[observe]\nmetrics = true\nhealth = true", (200, 200))):
            with self.subTest(more), Gateway(ENFOLD, config(more, "0.0.0.0:0", 'accept_risk = ["open_address"]')) as gateway:
                self.assertEqual((gateway.get("/metrics")[0], gateway.get("/healthz")[0]), want)

    def test_the_log_is_one_json_object_a_line(self):
        with Gateway(ENFOLD, config(top='log_format = "json"')) as gateway:
            client = Client(gateway.port)
            client.call("new__result", {"raw": rows(500)}, {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"})
            client.call("old__crash", {})
            client.close()
            lines = [json.loads(line) for line in gateway.said().splitlines() if not line.startswith(("listening on ", "dashboard at "))]
        fitted = next(line for line in lines if line["event"] == "call" and line["upstream"] == "new")
        self.assertEqual((fitted["tool"], fitted["outcome"], fitted["fidelity"], fitted["trace_id"], fitted["principal"]),
                         ("result", "ok", "partial", TRACE, "local"))
        self.assertRegex(fitted["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertRegex(fitted["request_id"], r"^req_")
        self.assertLessEqual(fitted["tokens_after"], 500)
        self.assertGreater(fitted["tokens_before"], 2500)
        self.assertGreater(fitted["ms"], 0)
        failed = next(line for line in lines if line["event"] == "call" and line["upstream"] == "old")
        self.assertEqual((failed["outcome"], failed["code"]), ("failed", "UPSTREAM_UNAVAILABLE"))
        said = next(line for line in lines if line["event"] == "upstream_said")
        self.assertEqual((said["upstream"], said["note"]), ("old", "upstream: about to crash"))

    def test_the_log_is_text_and_silent_about_good_calls_unless_told(self):
        with Gateway(ENFOLD, config()) as gateway:
            use(gateway)
            said = gateway.said()
        self.assertNotRegex(said, "event=call .*upstream=")  # an upstream's own log is its own
        self.assertIn("event=upstream_broke upstream=old", said)

    # A connection that was there before has half a second for a last request. On a machine that is
    # busier than that it is tried again.
    def test_health_fails_while_it_drains(self):
        seen = []
        while len(seen) < 5 and 503 not in seen:
            with Gateway(ENFOLD, config()) as gateway:
                watcher = Client(gateway.port)
                watcher.call("new__echo", {})
                gateway.process.send_signal(signal.SIGTERM)
                seen.append(self.last_health(watcher.connection))
                watcher.close()
        self.assertIn(503, seen)

    def last_health(self, connection):
        status = None
        deadline = time.monotonic() + PATIENCE
        while status in (None, 200) and time.monotonic() < deadline:
            try:
                connection.request("GET", "/healthz")
                answer = connection.getresponse()
                body = json.loads(answer.read())
            except OSError:
                return None
            status = answer.status
            self.assertEqual(body["status"], "ok" if status == 200 else "draining")
        return status


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
