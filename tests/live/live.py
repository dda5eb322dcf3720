# SPDX-License-Identifier: Apache-2.0
"""A gateway as a process of its own, and clients of it, for tests from outside."""

import http.client
import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 60  # a hang, not a slow machine
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"}}


def reports_in(log):
    """The lines that a sanitizer wrote between those of the gateway; at most 20,000 characters."""
    return "\n".join(line for line in log.splitlines() if not line.startswith(("time=", "{")))[:20000] if "Sanitizer" in log else ""


class Gateway:
    """`enfold serve --config` with this text, in a folder of its own."""

    def __init__(self, enfold, text):
        self.home = tempfile.TemporaryDirectory(prefix="enfold-live-")
        self.folder = Path(self.home.name)
        (self.folder / "enfold.toml").write_text(text)
        self.log = self.folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([enfold, "serve", "--config", "enfold.toml"], cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"^listening on (http://(.*):(\d+)/mcp)$", self.said(), re.M)):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the gateway did not start:\n{self.said()}")
            time.sleep(0.02)
        self.url, self.port = found.group(1), int(found.group(3))

    def said(self):
        return self.log.read_text(errors="replace")

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, body

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("the gateway did not end") from None
        finally:
            said = self.said()
            self.home.cleanup()
        if self.process.returncode != 0:
            raise AssertionError(f"the gateway ended with {self.process.returncode}:\n{reports_in(said) or said[-2000:]}")


class Client:
    """One connection, in either era. Every answer must be the one to its request."""

    def __init__(self, port, era="modern", key=None):
        self.port, self.era, self.session, self.last = port, era, None, 0
        self.authorization = {"Authorization": f"Bearer {key}"} if key else {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        if era == "legacy":
            self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                        "clientInfo": {"name": "tester", "version": "1"}})
            self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, {})

    def post(self, message, headers):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"} | headers
        headers |= self.authorization
        if self.session:
            headers |= {"MCP-Session-Id": self.session, "MCP-Protocol-Version": "2025-11-25"}
        self.connection.request("POST", "/mcp", json.dumps(message), headers)
        answer = self.connection.getresponse()
        body = answer.read().decode()
        self.session = answer.getheader("MCP-Session-Id") or self.session
        if "event-stream" in (answer.getheader("Content-Type") or ""):
            data = [line[5:].strip() for line in body.splitlines() if line.startswith("data:")]
            return [json.loads(one) for one in data if one]
        return [json.loads(body)] if body else []

    def request(self, method, params, headers=None):
        self.last += 1
        headers = dict(headers or {})
        if self.era == "modern":
            params = {**params, "_meta": {**META, **params.get("_meta", {})}}
            headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
            if "name" in params:
                headers["Mcp-Name"] = params["name"]
        messages = self.post({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}, headers)
        answers = [one for one in messages if "method" not in one]
        assert len(answers) == 1 and answers[0]["id"] == self.last, f"expected one answer to {self.last}: {messages}"
        return answers[0]

    def call(self, tool, arguments, headers=None):
        return self.request("tools/call", {"name": tool, "arguments": arguments}, headers)

    def close(self):
        self.connection.close()


class Played:
    """A program on a terminal of its own."""

    def __init__(self, command, environment):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)
        self.printed = ""

    def read_until(self, text):
        deadline = time.monotonic() + PATIENCE
        while text not in self.printed:
            if not self.take(deadline):
                raise AssertionError(f"expected {text!r}, found\n{self.printed}")

    def take(self, deadline):
        ready, _, _ = select.select([self.terminal], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            piece = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.printed += piece.decode(errors="replace")
        return bool(piece)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def end(self):
        deadline = time.monotonic() + PATIENCE
        while self.take(deadline):
            pass
        _, status = os.waitpid(self.process, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)
