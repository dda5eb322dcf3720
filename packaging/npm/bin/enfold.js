#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts the program of the package for this platform in place of this process, or, where Node cannot do that,
// as a child with the same input, output, signals and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");

const platform = `${process.platform}-${process.arch}`;
const served = Object.keys(require("../package.json").optionalDependencies).map((name) => name.replace("enfold-", ""));

function explain() {
  if (!served.includes(platform)) {
    return [
      `error: enfold has no program for ${platform}: expected ${served.join(" or ")}`,
      "hint: use the container image, or build from source: https://enfold.dev",
    ];
  }
  return [
    `error: the package enfold-${platform} is not installed`,
    "hint: install without --omit=optional; on Alpine and others without glibc use the container image",
  ];
}

function find() {
  if (process.env.ENFOLD_BINARY) return process.env.ENFOLD_BINARY;
  try {
    return require.resolve(`enfold-${platform}/bin/enfold`);
  } catch {
    return undefined;
  }
}

function runAsChild(program, args) {
  // Signals are caught before there is a child: one that comes meanwhile is forwarded afterwards.
  let child;
  // Ctrl-C on a terminal reaches the child by itself; a second SIGINT would make it stop at once.
  const forward = (signal) => {
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"]) process.on(signal, forward);
  child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`error: cannot start ${program}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const program = find();
if (program === undefined || !existsSync(program)) {
  process.stderr.write(`${explain().join("\n")}\n`);
  process.exit(3); // unsupported
}
const args = process.argv.slice(2);
if (typeof process.execve === "function" && !process.env.ENFOLD_NO_EXEC) {
  process.removeAllListeners("warning"); // that execve is experimental
  process.execve(program, [program, ...args], process.env);
}
runAsChild(program, args);
