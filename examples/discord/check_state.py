#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the server keep what it said it did?

  check_state.py SERVER

A message that was acknowledged is there after a restart and after kill -9 at any moment; two servers
with one state file lose nothing of each other; a call that fails changes nothing and leaves no file behind.
"""

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOG = "1122334455667788991"


class Server:
    """The example over stdio, in a folder of the test."""

    def __init__(self, program, folder, config=HERE / "config.json"):
        self.process = subprocess.Popen([program, "--config", config], cwd=folder, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ids = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "check", "version": "1"}})

    def write(self, method, params):
        self.ids += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.write(method, params)
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def contents(self):
        read = self.call("discord_read_channel", channelId=LOG, limit=100)["structuredContent"]
        return [message["content"] for message in read["messages"]]

    def kill(self):
        """Says the whole lines that it still wrote."""
        self.process.kill()
        self.process.wait(timeout=20)
        said = [line for line in self.process.stdout.readlines() if line.endswith("\n")]
        self.process.stdin.close()
        self.process.stdout.close()
        return said

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


def expect(holds, what):
    if not holds:
        sys.exit(f"check_state: {what}")


def survives_a_restart(program, folder):
    server = Server(program, folder)
    failed = server.call("discord_send_message", channelId="1", content="?")
    expect(failed["isError"] and not list(folder.iterdir()), "a failed call left files")
    sent = server.call("discord_send_message", channelId=LOG, content="kept")["structuredContent"]["messageId"]
    server.call("discord_update_channel_filters", defaultAction="exclude")
    server.close()
    again = Server(program, folder)
    expect(again.contents()[0] == "kept", "a message is gone after a restart")
    filters = again.call("discord_list_channel_filters")["structuredContent"]
    expect(filters["defaultAction"] == "exclude", "the filters are gone after a restart")
    again.call("discord_delete_message", channelId=LOG, messageId=sent)
    again.close()
    expect([path.name for path in folder.iterdir()] == ["discord-state.json"], "more than the state file is left")


def survives_kill(program, folder):
    """Fifteen messages are written without waiting; after some of the answers the server is killed."""
    acknowledged = []
    for killed_after in range(6):
        server = Server(program, folder)
        for number in range(15):
            server.write("tools/call", {"name": "discord_send_message",
                                        "arguments": {"channelId": LOG, "content": f"{killed_after}/{number}"}})
        said = [server.process.stdout.readline() for _ in range(killed_after)] + server.kill()
        acknowledged += [json.loads(line)["result"]["structuredContent"]["content"] for line in said]
    server = Server(program, folder)
    lost = set(acknowledged) - set(server.contents())
    server.close()
    expect(len(acknowledged) >= 15, f"only {len(acknowledged)} messages were acknowledged")
    expect(not lost, f"acknowledged and gone: {sorted(lost)}")


def shares_the_file(program, folder):
    servers = [Server(program, folder) for _ in range(2)]

    def talk(name, server):
        for number in range(20):
            server.call("discord_send_message", channelId=LOG, content=f"{name}{number}")

    threads = [threading.Thread(target=talk, args=pair) for pair in zip("ab", servers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = {f"{name}{number}" for name in "ab" for number in range(20)}
    for server in servers:
        expect(wanted <= set(server.contents()), "a message of the other server is missing")
        server.close()


def code_of(failed):
    return json.loads(failed["content"][0]["text"])["error"]["code"]


def undoes_what_it_cannot_save(program, folder):
    config = folder / "config.json"
    config.write_text(json.dumps({"workspace": str(HERE / "workspace.json"), "state": "later/state.json"}))
    server = Server(program, folder, config)
    before = server.contents()
    expect(code_of(server.call("discord_send_message", channelId=LOG, content="lost")) == "STORAGE_UNAVAILABLE",
           "a message was accepted that could not be saved")
    expect(server.contents() == before, "a message is shown that was refused")
    (folder / "later").mkdir()
    expect("structuredContent" in server.call("discord_send_message", channelId=LOG, content="kept"),
           "a message was refused that could be saved")
    server.close()


def refuses_more_than_it_can_hold(program, folder):
    server = Server(program, folder)
    files = [{"filename": "large.txt", "content": "x" * 100_000}] * 10
    answers = [server.call("discord_send_message", channelId=LOG, content=f"large {number}", attachments=files)
               for number in range(17)]
    expect(code_of(answers[-1]) == "STORAGE_FULL", "more than 16 MiB were accepted")
    server.close()
    again = Server(program, folder)
    expect(again.contents()[0] == "large 15", "the last message that was accepted is gone")
    again.close()


def main():
    for check in (survives_a_restart, survives_kill, shares_the_file, undoes_what_it_cannot_save,
                  refuses_more_than_it_can_hold):
        with tempfile.TemporaryDirectory() as folder:
            check(sys.argv[1], Path(folder))
    print("the state survives a restart, kill -9, a second server and what cannot be saved")


if __name__ == "__main__":
    main()
