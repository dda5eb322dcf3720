# SPDX-License-Identifier: Apache-2.0
"""A Redis server of one's own, on a socket in a folder, that keeps every write and can be killed."""

import os
import subprocess
import time

from live import PATIENCE


class RedisServer:
    def __init__(self, folder):
        self.folder, self.socket = folder, f"{folder}/redis"
        self.url = f"redis+unix://{self.socket}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", "always"], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while self.tell("PING") != "PONG":
            assert time.monotonic() < deadline, "redis-server did not start"
            time.sleep(0.02)

    def tell(self, *words):
        done = subprocess.run(["redis-cli", "-s", self.socket, *words], capture_output=True, text=True)
        return done.stdout.strip()

    def kill(self):
        self.process.kill()
        self.process.wait()
        if os.path.exists(self.socket):
            os.unlink(self.socket)
