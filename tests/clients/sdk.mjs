// SPDX-License-Identifier: Apache-2.0
// Whether the SDK clients and the Inspector's command line pass on answers whole: 4 MB of text, and
// 4 MB of structured content.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { result_of } from './kinds.mjs';

const peers = path.resolve(import.meta.dirname, '../peers/package.json');
const load = (name) => import(pathToFileURL(createRequire(peers).resolve(name)));
const server = path.join(import.meta.dirname, 'probe_server.mjs');
const size = 4_000_000;

async function with_sdk(client_module, transport_module) {
  const { Client } = await load(client_module);
  const { StdioClientTransport } = await load(transport_module);
  const client = new Client({ name: 'probe-client', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
  for (const kind of ['prose', 'structured']) {
    const got = await client.callTool({ name: 'probe', arguments: { kind, size } });
    const whole = result_of(kind, size);
    const same = JSON.stringify([got.content, got.structuredContent]) === JSON.stringify([whole.content, whole.structuredContent]);
    console.log(`${client_module} ${kind}: ${same ? 'whole' : 'not whole'}`);
  }
  await client.close();
}
await with_sdk('@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/stdio.js');
await with_sdk('@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio');
const inspector = path.join(path.dirname(peers), 'node_modules/.bin/mcp-inspector');
for (const kind of ['prose', 'structured']) {
  const { stdout, stderr } = spawnSync(process.execPath, [inspector, '--cli', process.execPath, server, '--method', 'tools/call', '--tool-name', 'probe', '--tool-arg', `kind=${kind}`, '--tool-arg', `size=${size}`], { maxBuffer: 1e8, encoding: 'utf8' });
  let got = {};
  try { got = JSON.parse(stdout); } catch { console.error(stderr.slice(0, 500), stdout.length); }
  const whole = result_of(kind, size);
  console.log(`inspector ${kind}: ${JSON.stringify([got.content, got.structuredContent]) === JSON.stringify([whole.content, whole.structuredContent]) ? 'whole' : 'not whole'}`);
}
