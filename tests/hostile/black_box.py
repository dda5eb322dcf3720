#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks on the program as its users have it, with hostile_server.py as the server behind it.

  black_box.py ENFOLD [NAME ...]

Each function below is one finding. The program may be of any version: README.md says which attacks succeeded against
the first one. Names select some of the attacks. All are tried; the exit code says whether one succeeded.
"""

import hashlib
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent / "live"))
from live import Client  # noqa: E402
from process import children, resident  # noqa: E402

ENFOLD = str(Path(sys.argv[1]).resolve())
SERVER = Path(__file__).parent / "hostile_server.py"
TOKEN = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
START = 12  # seconds; a start takes less than one


class Gateway:
    """`enfold serve` in front of servers that misbehave in these ways."""

    def __init__(self, *modes, top="", listen="", limit=None, port=0, address="127.0.0.1"):
        self.home = tempfile.TemporaryDirectory(prefix="enfold-hostile-")
        self.folder = Path(self.home.name)
        text = f'archive = "archive.db"\n{top}\n[listen]\naddress = "{address}:{port}"\n{listen}\n'
        for mode in modes:
            text += f"[upstreams.{mode}]\ncommand = '{sys.executable}'\nargs = ['{SERVER}', '{mode}', '{self.folder}']\n"
        config = self.folder / "enfold.toml"
        config.write_text(text)
        config.chmod(0o600)
        self.log = open(self.folder / "log", "wb")
        environment = os.environ | {"TOKEN_OF_ANOTHER_SERVER": "1"}
        # A file that grows beyond `limit` fails to be written, as on a full disk.
        def limits():
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        self.process = subprocess.Popen([ENFOLD, "serve", "--config", config], cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stderr=self.log, stdout=self.log, env=environment, preexec_fn=limits,
                                        restore_signals=False)
        self.port = None

    def listening(self, within=START):
        deadline = time.monotonic() + within
        while not (found := re.search(r"listening on \S+?:(\d+)/mcp", self.said())):
            assert self.process.poll() is None, f"it did not start: {self.said()[-500:]}"
            assert time.monotonic() < deadline, f"it does not listen after {within} s"
            time.sleep(0.02)
        self.port = int(found.group(1))
        return self

    def said(self):
        return (self.folder / "log").read_text(errors="replace")

    def client(self, era="modern", key=None):
        return Client(self.port, era, key)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.home.cleanup()


class Wrap:
    """`enfold wrap` in front of a server, with a client that has roots."""

    def __init__(self, mode, folder):
        homes = {name: folder for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
        self.process = subprocess.Popen([ENFOLD, "wrap", "--", sys.executable, SERVER, mode, folder], cwd=folder,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env=os.environ | homes)
        self.say({"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {"roots": {}},
            "clientInfo": {"name": "tester", "version": "1"}}})
        self.heard(1)
        self.say({"method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def heard(self, wanted):
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("method") == "roots/list":
                self.say({"id": message["id"], "result": {"roots": [{"uri": "file:///mine", "name": "mine"}]}})
            elif message.get("id") == wanted:
                return message
        raise AssertionError("wrap has ended")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def text_of(answer):
    return json.dumps(answer, ensure_ascii=False)


def hidden(answer, what):
    assert TOKEN not in text_of(answer), f"the token is in {what}"


def patterns_of_a_schema_stop_the_gateway():
    with Gateway("patterns", "talk") as gateway:
        gateway.listening()
        client = gateway.client()
        begun = time.monotonic()
        client.request("tools/list", {})
        client.call("talk__meta", {})
        assert time.monotonic() - begun < 5, "calls wait for the patterns"


def lists_never_end():
    with Gateway("pages") as gateway:
        gateway.listening()
        gateway.client().request("tools/list", {})
        pages = len((gateway.folder / "pages").read_text())
        assert pages <= 200, f"{pages} pages of 200 KB were read"
        assert resident(gateway.process.pid) < 300, "it has more than 300 MB"


def a_model_switches_redaction_off():
    with Gateway("talk") as gateway:
        client = gateway.listening().client()
        call = {"name": "secret", "arguments": {}}
        hidden(client.request("tools/call", call), "a plain answer")
        hidden(client.request("tools/call", {**call, "_meta": {"dev.enfold/contract": "none"}}), "an answer without contract")
        session = gateway.client("legacy")
        session.call("server", {"action": "capability-negotiate", "requested_version": "none"})
        hidden(session.call("secret", {}), "an answer after a negotiation")


def a_text_speaks_as_the_gateway():
    with Gateway("talk") as gateway:
        meta = gateway.listening().client().call("envelope", {})["result"]["structuredContent"].get("meta", {})
        for member in ("rate_limit", "content_archive_hashes"):
            assert member not in meta, f"{member} is the server's"
        assert "forged" not in text_of(meta), "the request id is the server's"


def members_of_the_gateway_in_meta_are_the_servers():
    with Gateway("talk") as gateway:
        meta = gateway.listening().client().call("meta", {})["result"].get("_meta", {})
        assert meta.get("dev.enfold/request_id") != "req_forged000000"
        assert "dev.enfold/facts" not in meta


def a_server_reads_the_variables_of_all():
    with Gateway("talk") as gateway:
        assert "TOKEN_OF_ANOTHER_SERVER" not in text_of(gateway.listening().client().call("environment", {}))


def secrets_leave_beside_answers():
    with Gateway("talk") as gateway:
        client = gateway.listening().client()
        resource_read = client.request("resources/read", {"uri": "file:///same"}, {"Mcp-Name": "file:///same"})
        hidden(resource_read, "a resource")
        hidden(client.request("prompts/get", {"name": "p"}), "a prompt")
        assert "has the key" in text_of(resource_read), resource_read
        hidden(client.request("tools/list", {}), "a description")
        hidden(client.request("server/discover", {}), "the instructions")
        assert "my key is" in gateway.said() and TOKEN not in gateway.said(), "the token is in the log"


def hidden_text_reaches_the_model():
    with Gateway("talk") as gateway:
        listed = text_of(gateway.listening().client().request("tools/list", {}))
        assert "\U000e0041" not in listed and "\u202e" not in listed


def standard_error_forges_the_log():
    with Gateway("talk") as gateway:
        gateway.listening().client().call("meta", {})
        lines = gateway.said().splitlines()
        assert not [line for line in lines if line.startswith("2026-01-01")], "a line of the server stands alone"
        assert [line for line in lines if "tool=forged" in line and "talk" in line], "it does not say whose line it is"


def the_last_server_owns_a_resource():
    with Gateway("talk", "roots") as gateway:
        client = gateway.listening().client()
        client.request("resources/list", {})
        read = text_of(client.request("resources/read", {"uri": "file:///same"}, {"Mcp-Name": "file:///same"}))
        assert "talk has the key" in read, "the second server answered"


def a_full_disk_breaks_the_budget():
    with Gateway("talk", top="budget = 500", limit=60_000) as gateway:
        answer = gateway.listening().client().call("large", {})
        assert len(text_of(answer)) < 20_000, f"{len(text_of(answer))} characters at 500 tokens"


def refusals_are_not_logged():
    keys = f"[principals.ann]\nkey_sha256 = \"{hashlib.sha256(b'k').hexdigest()}\""
    with Gateway("talk", listen=keys) as gateway:
        gateway.listening()
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=10)
        connection.request("POST", "/mcp", "{}", {"Content-Type": "application/json", "Authorization": "Bearer wrong"})
        assert connection.getresponse().status == 401
        deadline = time.monotonic() + 2
        while "401" not in gateway.said() and time.monotonic() < deadline:
            time.sleep(0.02)
        lines = [line for line in gateway.said().splitlines() if "401" in line]
        assert lines and "127.0.0.1" in lines[0], "no line with status and address"


def an_open_address_starts():
    with Gateway("talk", address="0.0.0.0") as gateway:
        try:
            gateway.process.wait(3)
        except subprocess.TimeoutExpired:
            raise AssertionError("it serves everybody who reaches the machine") from None
        assert gateway.process.returncode != 0


def web_pages_that_are_allowed_cannot_call():
    for key in ("allowed_origins", "origins"):  # the second in versions before 1.0
        with Gateway("talk", listen=f'{key} = ["https://app.example"]') as gateway:
            try:
                gateway.listening()
            except AssertionError:
                continue
            connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=10)
            connection.request("OPTIONS", "/mcp", headers={"Origin": "https://app.example",
                                                           "Access-Control-Request-Method": "POST"})
            answer = connection.getresponse()
            assert answer.status in (200, 204), answer.status
            assert answer.getheader("Access-Control-Allow-Origin") == "https://app.example"
            return
    raise AssertionError("it does not start")


def an_answer_without_version_holds_its_call():
    with Gateway("talk") as gateway:
        client = gateway.listening().client()
        client.connection.timeout = 5
        try:
            client.call("no_version", {})
        except TimeoutError:
            raise AssertionError("the call waits") from None


def sessions_without_calls_start_processes():
    with Gateway("talk", "roots") as gateway:
        gateway.listening()
        sessions = [gateway.client("legacy") for _ in range(5)]
        time.sleep(0.3)
        assert len(children(gateway.process.pid)) <= 2, f"{len(children(gateway.process.pid))} processes"
        del sessions


def a_call_that_was_cancelled_runs_and_says_nothing():
    with tempfile.TemporaryDirectory(prefix="enfold-hostile-") as folder, Wrap("talk", folder) as wrap:
        wrap.say({"id": 2, "method": "tools/call", "params": {"name": "late", "arguments": {}}})
        deadline = time.monotonic() + START
        while not (Path(folder) / "late").exists():
            assert time.monotonic() < deadline, "the call did not run"
            time.sleep(0.02)
        wrap.say({"method": "notifications/cancelled", "params": {"requestId": 2}})
        (Path(folder) / "go").touch()
        advice = ""
        for number in range(3, 43):
            wrap.say({"id": number, "method": "tools/call", "params": {"name": "enfold_fetch", "arguments": {}}})
            advice = text_of(wrap.heard(number))
            if "(late, " in advice:
                return
            time.sleep(0.05)
        raise AssertionError(f"its outcome is nowhere: {advice}")


def a_port_in_use_is_noticed_late():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with Gateway("slow", port=taken.getsockname()[1]) as gateway:
            try:
                gateway.process.wait(4)
            except subprocess.TimeoutExpired:
                raise AssertionError("the servers start first") from None
            assert gateway.process.returncode != 0 and str(taken.getsockname()[1]) in gateway.said()


def roots_that_are_asked_early_are_lost():
    with tempfile.TemporaryDirectory(prefix="enfold-hostile-") as folder, Wrap("roots", folder) as wrap:
        for number in range(2, 42):
            wrap.say({"id": number, "method": "tools/call", "params": {"name": "roots", "arguments": {}}})
            answer = text_of(wrap.heard(number))
            if "file:///mine" in answer:
                return
            assert "-32601" not in answer, "the server was told that there are no roots"
            time.sleep(0.05)
        raise AssertionError("the server never got the roots")


ATTACKS = [one for name, one in list(globals().items())
           if callable(one) and getattr(one, "__module__", None) == "__main__" and not isinstance(one, type)
           and name not in ("text_of", "hidden")]
succeeded = 0
for attack in ATTACKS:
    if len(sys.argv) > 2 and attack.__name__ not in sys.argv[2:]:
        continue
    begun = time.monotonic()
    try:
        attack()
        outcome = "failed"
    except (AssertionError, OSError, KeyError, ValueError, http.client.HTTPException) as problem:
        succeeded += 1
        outcome = f"SUCCEEDED: {type(problem).__name__}: {problem}"
    print(f"{attack.__name__}: {outcome} ({time.monotonic() - begun:.1f} s)", flush=True)
sys.exit(1 if succeeded else 0)
