// SPDX-License-Identifier: Apache-2.0
// An example program in an empty folder of its own, over stdio (the client's transport starts it)
// or over HTTP on a free port.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ended = (child) =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));

// A program that says where it listens; `stop` expects that it ends with 0.
async function listening(program, words, cwd, env) {
  const child = spawn(program, words, { cwd, env: env ?? process.env, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = ended(child);
  let said = '';
  const url = await new Promise((resolve, reject) => {
    child.once('error', reject);
    end.then((code) => reject(new Error(`${program} ended with ${code} before it listened:\n${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const address = /^listening on (\S+)$/mu.exec(said);
      if (address) resolve(address[1]);
    });
  });
  return {
    place: { url },
    log: () => said,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      const code = await end;
      clearTimeout(late);
      if (code !== 0) throw new Error(`expected the server to end with 0 after SIGTERM, found ${code}`);
    },
  };
}

/** Calls `use` with an empty folder that is gone afterwards. */
export async function inFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'enfold-sdk-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls `use` with the place of a server that listens as long as that takes. */
export async function whileListening(program, words, cwd, use, env) {
  const server = await listening(program, words, cwd, env);
  let result;
  try {
    result = await use(server.place);
  } catch (error) {
    error.message += `\nthe server said:\n${server.log().split('\n').slice(-12).join('\n')}`;
    await server.stop().catch(() => {});
    throw error;
  }
  await server.stop();
  return result;
}

/** Calls `use` with a place that a client can connect to. */
export function withServer(transport, program, words, use) {
  return inFolder((cwd) => (transport === 'stdio'
    ? use({ command: program, args: words, cwd })
    : whileListening(program, [...words, '--http', '0'], cwd, use)));
}
