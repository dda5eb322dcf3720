#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a client proves who it is with stays at the gateway.

  no_passthrough_test.py ENFOLD UPSTREAM

The client's Authorization, X-API-Key, Cookie and proxy headers, its key and the name of its principal reach no
upstream: not the headers, address or body of a request to a url, not the input, arguments or environment of a program.
A header that the configuration sets for the upstream does. In both eras, for calls and lists.
"""

import hashlib
import http.server
import json
import sys
import threading
from pathlib import Path

from live import Client, Gateway
from process import children

ENFOLD, UPSTREAM = sys.argv[1:3]
KEY = "key-of-the-client-0123456789"
OWN = "header-of-the-operator-0123456789"
NAME = "principal-with-a-rare-name"
SECRETS = {"Authorization": f"Bearer {KEY}", "X-API-Key": KEY, "Cookie": "cookie-of-the-client=1",
           "Proxy-Authorization": "Basic proxy-of-the-client", "X-Forwarded-User": "user-of-the-client"}
FORBIDDEN = [KEY, NAME, "cookie-of-the-client", "proxy-of-the-client", "user-of-the-client"]
TOOL = {"name": "echo", "inputSchema": {"type": "object"}}


class Recorded(http.server.BaseHTTPRequestHandler):
    """A server of one tool, in both eras, that keeps every byte it gets."""

    seen = []
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.seen.append(f"{self.requestline}\n{self.headers}\n{body}")
        message = json.loads(body)
        if "id" not in message:
            return self.send(202, b"")
        results = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                  "serverInfo": {"name": "recorded", "version": "1"}},
                   "server/discover": {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                       "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private",
                                       "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "r", "version": "1"}}},
                   "tools/list": {"tools": [TOOL]}, "tools/call": {"content": [{"type": "text", "text": "done"}]}}
        result = {"resultType": "complete", **results.get(message["method"], {})}
        return self.send(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())

    def do_GET(self):
        self.seen.append(f"{self.requestline}\n{self.headers}")
        self.send(405, b"")

    do_DELETE = do_GET

    def send(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def configuration(port, digest):
    return f"""
archive = "memory"
[listen]
address = "127.0.0.1:0"
[principals.{NAME}]
key_sha256 = "{digest}"
[upstreams.plain]
url = "http://127.0.0.1:{port}/plain"
[upstreams.configured]
url = "http://127.0.0.1:{port}/configured"
headers.X-Own = "{OWN}"
[upstreams.program]
command = "{UPSTREAM}"
args = ["both"]
allow_unlisted_tools = true
"""


def told_to_program(gateway, client):
    """All that the program was given: the params of a call, what it heard before, its environment and arguments."""
    told = [json.dumps(client.call(f"program__{tool}", {"a": 1}, SECRETS)) for tool in ("echo", "heard")]
    for child in children(gateway.process.pid):
        told += [Path(f"/proc/{child}/{file}").read_text(errors="replace") for file in ("environ", "cmdline")]
    return told


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorded)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    told = []
    with Gateway(ENFOLD, configuration(server.server_address[1], digest)) as gateway:
        for era in ("modern", "legacy"):
            client = Client(gateway.port, era, KEY)
            names = [tool["name"] for tool in client.request("tools/list", {}, SECRETS)["result"]["tools"]]
            assert {"plain__echo", "configured__echo", "program__echo"} <= set(names), names
            for upstream in ("plain", "configured"):
                answer = client.call(f"{upstream}__echo", {"a": 1}, SECRETS)
                assert "done" in json.dumps(answer), answer
            told += told_to_program(gateway, client)
            client.close()
    calls = [one for one in Recorded.seen if '"tools/call"' in one]
    assert len(calls) == 4, f"expected four calls over HTTP, found {len(calls)}"
    for one in Recorded.seen:
        assert (OWN in one) == one.startswith(("POST /configured", "GET /configured", "DELETE /configured")), one
    for text in Recorded.seen + told:
        for secret in FORBIDDEN:
            assert secret not in text, f"{secret} reached an upstream:\n{text}"
        assert "\nauthorization:" not in text.lower() and "\nx-api-key:" not in text.lower(), text
    server.shutdown()


if __name__ == "__main__":
    main()
