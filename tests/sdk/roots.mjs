// SPDX-License-Identifier: Apache-2.0
// server-filesystem opens its sandbox by the roots of the client, which it asks for as soon as it
// is connected: with Enfold in front the sandbox must be the same as without.
//   roots.mjs --enfold PROGRAM
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ways } from './clients.mjs';
import { inFolder, whileListening } from './started.mjs';

const { values: options } = parseArgs({ options: { enfold: { type: 'string' } } });
const enfold = path.resolve(options.enfold);
const peers = createRequire(new URL('../peers/package.json', import.meta.url));
const entry = path.join(path.dirname(peers.resolve('@modelcontextprotocol/server-filesystem/package.json')), 'dist/index.js');

// The server takes the roots over when they arrive, which may be after its first answer.
async function sandbox(way, place, root) {
  const { client, transport, call } = await way.connect({ ...place, root: pathToFileURL(root).href });
  try {
    await client.listTools();
    let said = '';
    for (let tries = 0; tries < 100; tries += 1) {
      said = JSON.stringify((await call({ name: 'list_allowed_directories', arguments: {} })).content);
      if (said.includes(root)) break;
      await sleep(20);
    }
    return said;
  } finally {
    if (place.url && way.era === 'sessions') await transport.terminateSession();
    await client.close();
  }
}

async function play(verb, way) {
  await inFolder(async (made) => {
    const folder = realpathSync(made);
    const [given, root] = ['given', 'root'].map((name) => path.join(folder, name));
    [given, root].forEach((one) => mkdirSync(one));
    const server = [process.execPath, entry, given];
    const env = { PATH: process.env.PATH, HOME: folder };
    const words = ['--archive', 'memory', '--contract', 'none', '--', ...server];
    let said;
    if (verb === 'serve') {
      said = await whileListening(enfold, ['serve', '--listen', '127.0.0.1:0', ...words], folder,
        (place) => sandbox(way, place, root), env);
    } else {
      const [command, ...args] = verb === 'wrap' ? [enfold, 'wrap', ...words] : server;
      said = await sandbox(way, { command, args, cwd: folder, env }, root);
    }
    assert.ok(said.includes(root), `${verb}, ${way.name}: expected the root, found ${said}`);
    assert.ok(!said.includes(given), `${verb}, ${way.name}: the folder of the command line is still allowed: ${said}`);
    console.log(`${verb}, ${way.name}: ok`);
  });
}

await play('alone', ways[0]);
for (const verb of ['wrap', 'serve']) {
  for (const way of ways) await play(verb, way);
}
