# SPDX-License-Identifier: Apache-2.0
"""scalpel-v1 shows no source code of a failure, by any route of the program.

    source_code_test.py ENFOLD SERVER      SERVER: tests/promises/through_wrap/server.cc"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "live"))
from failures import CANARY, failures
from live import Client, Gateway

ENFOLD, SERVER = sys.argv[1], sys.argv[2]
CASES = list(failures(200))
RESULTS = [result for *_, result in CASES]


def requests():
    yield {"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}}}
    yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
    for number in range(len(CASES)):
        yield {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "strange", "arguments": {"n": number}}}


class SourceCode(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="enfold-source-")
        self.addCleanup(self.home.cleanup)
        self.file = Path(self.home.name) / "results.jsonl"
        self.file.write_text("".join(json.dumps(one) + "\n" for one in RESULTS))

    def run_enfold(self, *arguments, text=None):
        done = subprocess.run([ENFOLD, *arguments], input=text, capture_output=True, text=True, timeout=120)
        return done.stdout.strip("\n").split("\n")

    def check(self, answers):
        self.assertEqual(len(answers), len(CASES))
        for (place, language, _, result), answer in zip(CASES, answers):
            self.assertNotIn(CANARY.lower(), answer.lower(), f"{place}, {language}: {json.dumps(result)}")
            shown = json.loads(answer)
            shown = shown.get("result", shown)
            self.assertTrue(shown.get("structuredContent", shown)["error"]["error"], answer)

    def test_no_code_through_convert(self):
        for options in [[], ["--no-extensions"], ["--mcp-result"], ["--mcp-result", "--no-extensions"], ["--members", "minimal"]]:
            with self.subTest(options):
                self.check(self.run_enfold("convert", "--to", "scalpel-v1", "--from", "mcp", "--jsonl", *options, str(self.file)))

    def test_no_code_through_wrap(self):
        for options in [["--archive", "memory"], ["--archive", "memory", "--budget", "150"], ["--archive", "none"]]:
            with self.subTest(options):
                lines = self.run_enfold("wrap", "--contract", "scalpel-v1", *options, "--", SERVER, str(self.file),
                                        text="".join(json.dumps(one) + "\n" for one in requests()))
                answers = {json.loads(line).get("id"): line for line in lines}
                self.check([answers[number] for number in range(len(CASES))])

    def test_no_code_through_serve(self):
        config = (f'contract = "scalpel-v1"\narchive = "memory"\n[listen]\naddress = "127.0.0.1:0"\n'
                  f'[upstreams.u]\ncommand = "{SERVER}"\nargs = ["{self.file}"]\n')
        with Gateway(ENFOLD, config) as gateway:
            for era in ["modern", "legacy"]:
                client = Client(gateway.port, era)
                self.check([json.dumps(client.call("strange", {"n": number})) for number in range(len(CASES))])
                client.close()
            self.assertNotIn(CANARY.lower(), gateway.said().lower())

    def test_what_is_left_out_is_archived_or_listed(self):
        answer = {"content": [{"type": "text", "text": f"Cannot parse a.py\nx = {CANARY}"}], "isError": True}
        report = Path(self.home.name) / "report.jsonl"
        (Path(self.home.name) / "one.json").write_text(json.dumps(answer))
        self.run_enfold("convert", "--to", "scalpel-v1", "--report", str(report), str(Path(self.home.name) / "one.json"))
        self.assertEqual([one["path"] for one in json.loads(report.read_text())["lost"]], ["/failure/message"])
        self.file.write_text(json.dumps(answer) + "\n")
        lines = list(requests())[:3]
        lines.append({"jsonrpc": "2.0", "id": "f", "method": "tools/call", "params": {"name": "enfold_fetch", "arguments": {"handle": ""}}})
        wrapped = [ENFOLD, "wrap", "--contract", "scalpel-v1", "--archive", "memory", "--", SERVER, str(self.file)]
        with subprocess.Popen(wrapped, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            def send(message):
                process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()
            def answer_to(key):
                while (line := json.loads(process.stdout.readline())).get("id") != key:
                    pass
                return line["result"]["structuredContent"]
            for line in lines[:3]:
                send(line)
            failed = answer_to(0)
            self.assertEqual(failed["error"]["error"], "Cannot parse a.py")
            (handle,) = failed["data"]["_envelope"]["content_archive_hashes"]
            lines[3]["params"]["arguments"]["handle"] = handle
            send(lines[3])
            self.assertIn(CANARY, json.dumps(answer_to("f")["data"]))
            process.stdin.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
