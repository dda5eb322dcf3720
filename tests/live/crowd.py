# SPDX-License-Identifier: Apache-2.0
"""Clients of a gateway under mixed load: those that must always be served, and those that make it hard."""

import hashlib
import json
import random
import socket
import threading
import time
from collections import Counter

from live import META, Client

KEPT_HANDLES = 20


def key_of(principal):
    return f"soak-key-of-{principal}"


class Account:
    """What all have seen."""

    def __init__(self):
        self.until = 0.0
        self.lock, self.violations, self.counts, self.times = threading.Lock(), [], Counter(), []

    def go_on_for(self, minutes):
        self.until = time.monotonic() + 60 * minutes

    def goes_on(self):
        return time.monotonic() < self.until

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def took(self, milliseconds, what):
        with self.lock:
            self.times.append((milliseconds, what))

    def taken_times(self):
        with self.lock:
            times, self.times = self.times, []
        return times

    def violated(self, what):
        with self.lock:
            self.violations.append(what)
        print(f"VIOLATION {what[:20000]}", flush=True)

    def wait(self, seconds):
        """False: the time is over."""
        time.sleep(max(0.0, min(seconds, self.until - time.monotonic())))
        return self.goes_on()


class Worker(threading.Thread):
    """Repeats `turn` until the time is over. Whatever goes wrong is a violation."""

    def __init__(self, account, gateway, principal, pause):
        super().__init__(name=principal, daemon=True)
        self.account, self.gateway, self.principal, self.pause = account, gateway, principal, pause
        self.random = random.Random(principal)
        self.turns = 0

    def run(self):
        while self.account.goes_on():
            self.turns += 1
            try:
                self.turn()
            except Exception as error:
                self.account.violated(f"{self.principal}, turn {self.turns}: {type(error).__name__}: {error}")
                self.close()
                time.sleep(0.2)
            time.sleep(self.pause)
        self.close()

    def close(self):
        pass


class Caller(Worker):
    def __init__(self, era, *more):
        super().__init__(*more)
        self.era, self.client, self.reads = era, None, 0

    def close(self):
        if self.client:
            self.client.close()
        self.client = None

    def call(self, tool, arguments):
        if not self.client:
            self.client = Client(self.gateway.port, self.era, key_of(self.principal))
        began = time.monotonic()
        answer = self.client.call(tool, arguments)
        state = ", store fails" if self.gateway.store_fails() else ""
        self.account.took((time.monotonic() - began) * 1000, f"{self.principal} {tool}{state}")
        assert "result" in answer, f"{tool}: {answer}"
        return answer["result"]


class Quiet(Caller):
    """Every call gets one right answer, whatever the others do."""

    def __init__(self, *more):
        super().__init__(*more)
        self.kept = []  # handle, rows

    def turn(self):
        kind = self.turns % 10
        if kind == 0:
            self.large(self.random.randrange(100, 400))
        elif kind == 5:
            self.large(self.random.randrange(800, 3000))
        elif kind in (3, 7) and self.kept:
            handle, rows = self.random.choice(self.kept)
            begin = self.random.randrange(len(rows) - 5)
            self.expect_rows(handle, {"range": f"/rows/{begin}..{begin + 4}"}, rows[begin:begin + 5])
        else:
            nonce = f"{self.principal}-{self.turns}-{self.random.getrandbits(64):x}"
            result = self.call(f"{('steady', 'fresh', 'common')[self.turns % 3]}__echo", {"text": nonce})
            assert not result.get("isError") and nonce in json.dumps(result), f"echo {nonce}: {result}"
            self.account.count("small")

    def large(self, number):
        rows = [{"id": i, "text": f"{self.principal} {self.random.getrandbits(256):x}"} for i in range(number)]
        raw = json.dumps({"structuredContent": {"rows": rows}, "content": []})
        result = self.call("steady__result", {"raw": raw})
        assert not result.get("isError"), f"large: {json.dumps(result)[:800]}"
        answer = result["structuredContent"]
        handles = answer["meta"].get("content_archive_hashes")
        codes = [one["code"] for one in answer["meta"].get("warning_details", [])]
        if not handles:
            assert "ARCHIVE_WRITE_FAILED" in codes, f"cut, and no handle: {codes} {json.dumps(answer)[:800]}"
            self.account.count("large, lost because the store failed and memory was full")
            return
        if "ARCHIVE_VOLATILE" in codes:
            self.account.count("large, kept in memory because the store failed")
            return
        (handle, digest), = handles.items()
        assert digest == "sha256:" + hashlib.sha256(raw.encode()).hexdigest(), f"{handle}: other bytes are archived"
        self.account.count("large, cut")
        self.kept = [*self.kept, (handle, rows)][-KEPT_HANDLES:]
        if self.turns % 20 == 0:
            self.expect_rows(handle, {"pointer": "/rows"}, rows)

    def expect_rows(self, handle, selection, rows):
        found, arguments = [], {"handle": handle, **selection}
        deadline = time.monotonic() + 60
        while True:
            result = self.call("enfold_fetch", arguments)
            answer = result["structuredContent"]
            if result.get("isError"):
                assert answer["data"]["error_code"] == "UNAVAILABLE", f"{handle} does not open: {json.dumps(result)[:800]}"
                assert time.monotonic() < deadline, f"{handle} does not open for a minute: {json.dumps(result)[:800]}"
                fails = self.gateway.store_fails()
                self.account.count("fetches put off while the store failed" if fails else "fetches put off without a fault")
                time.sleep(1)
                continue
            found += answer["data"]["items"]
            page = answer["meta"]["pagination"]
            if not page["has_more"]:
                break
            arguments = {"cursor": page["cursor"]}
        assert found == rows, f"{handle}: expected {len(rows)} rows, found {len(found)} or others"
        self.account.count("fetched and compared")


class Brave(Caller):
    """Calls the upstream that is killed: one answer to each call, its own or a typed failure."""

    def turn(self):
        nonce = f"brave-{self.turns}-{self.random.getrandbits(64):x}"
        result = self.call("victim__echo", {"text": nonce})
        if result.get("isError"):
            code = result["structuredContent"]["data"]["error_code"]
            assert code == "UPSTREAM_UNAVAILABLE", f"victim: {result}"
            self.account.count("calls of a killed upstream that failed")
        else:
            assert nonce in json.dumps(result), f"echo {nonce}: {result}"
            self.account.count("calls of a killed upstream that were answered")


def request_bytes(principal, tool, arguments):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": tool, "arguments": arguments, "_meta": META}}
    body = json.dumps(message)
    return (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key_of(principal)}\r\n"
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            f"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


class Careless(Worker):
    """Cancels calls, disappears in the middle of one, and leaves sessions and streams behind."""

    def turn(self):
        (self.disappear, self.cancel, self.leave_session)[self.turns % 3]()
        self.account.count("calls that their client left or cancelled")

    def disappear(self):
        raw = json.dumps({"content": [{"type": "text", "text": "x" * 200000}]})
        tool, arguments = self.random.choice((("steady__silent", {}), ("fresh__result", {"raw": raw}), ("common__echo", {})))
        connection = socket.create_connection(("127.0.0.1", self.gateway.port))
        message = request_bytes(self.principal, tool, arguments)
        connection.sendall(message[:self.random.choice((len(message), len(message) // 2))])
        if self.random.random() < 0.5:  # a reset instead of an orderly end
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        connection.close()

    def cancel(self):
        waiting = Client(self.gateway.port, "legacy", key_of(self.principal))
        other = Client(self.gateway.port, "modern", key_of(self.principal))
        other.session, answers = waiting.session, []

        def wait():
            try:
                answers.append(waiting.call("steady__silent", {}))
            except (AssertionError, OSError, ValueError):  # no answer to a cancelled call
                pass
        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        time.sleep(0.05)
        assert thread.is_alive(), f"a call that nobody answers has ended: {answers}"
        other.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting.last}}, {})
        thread.join(20)
        assert not thread.is_alive(), "a cancelled call is still open after 20 s"
        assert not answers or "error" in answers[0], f"a cancelled call was answered: {answers}"
        waiting.close()
        other.close()

    def leave_session(self):
        client = Client(self.gateway.port, "legacy", key_of(self.principal))
        client.call("steady__echo", {})
        client.connection.request("GET", "/mcp", headers={"Accept": "text/event-stream", "MCP-Session-Id": client.session,
                                                          "Authorization": f"Bearer {key_of(self.principal)}"})
        client.connection.getresponse()
        client.close()


class Flood(Worker):
    """Many connections at once, each with calls one after the other, for ten seconds of thirty."""

    def turn(self):
        if not self.account.wait(20):
            return
        connections = [socket.create_connection(("127.0.0.1", self.gateway.port)) for _ in range(150)]
        message = request_bytes(self.principal, "fresh__echo", {"text": "flood"})
        end = time.monotonic() + 10
        while time.monotonic() < end and self.account.goes_on():
            for connection in connections:
                connection.setblocking(False)
                try:
                    connection.send(message)
                    self.account.count("writes of the flood")
                    connection.recv(65536)
                except OSError:
                    continue
        for connection in connections:
            connection.close()


class Slow(Worker):
    """Asks for much and hardly reads."""

    def turn(self):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", self.gateway.port))
        raw = json.dumps({"content": [{"type": "text", "text": "slow " * 300}]})
        connection.setblocking(False)
        for _ in range(100):
            try:
                connection.send(request_bytes(self.principal, "fresh__result", {"raw": raw}))
            except OSError:
                break
        for _ in range(20):
            try:
                connection.recv(100)
            except OSError:
                pass
            if not self.account.wait(0.5):
                break
        connection.close()
        self.account.count("slow clients")
