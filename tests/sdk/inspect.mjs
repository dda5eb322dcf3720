// SPDX-License-Identifier: Apache-2.0
// The Inspector's command line against an example, in each way that it negotiates the era and over
// both transports: it lists the tools and finds nothing to object to in their schemas.
//   inspect.mjs --program P [--config F]
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { withServer } from './started.mjs';

const { values: options } = parseArgs({ options: { program: { type: 'string' }, config: { type: 'string' } } });
const peers = createRequire(new URL('../peers/package.json', import.meta.url));
const inspector = path.join(path.dirname(peers.resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/launcher/build/index.js');
const home = mkdtempSync(path.join(tmpdir(), 'enfold-inspector-'));  // it keeps files there

function inspect(place, era) {
  // Words of the program's own would be taken for the Inspector's, so a file says them.
  const file = path.join(home, `${era}.json`);
  writeFileSync(file, JSON.stringify({ mcpServers: { example: { command: place.command, args: place.args } } }));
  const target = place.url ? [place.url, '--transport', 'http'] : ['--config', file, '--server', 'example'];
  const words = ['--cli', '--protocol-era', era, '--method', 'tools/list', '--strict', '--format', 'json'];
  const child = spawn(process.execPath, [inspector, ...words, ...target],
    { cwd: place.cwd, env: { ...process.env, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => { err += text; });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

async function check(transport, era) {
  const words = options.config ? ['--config', path.resolve(options.config)] : [];
  const { code, out, err } = await withServer(transport, path.resolve(options.program), words, (place) => inspect(place, era));
  const objections = err.split(/\n\n/u).filter((part) => /^(Warning|Error): tool/mu.test(part));
  let tools = 0;
  try { tools = JSON.parse(out).result.tools.length; } catch { /* told below */ }
  const good = code === 0 && tools > 0 && objections.length === 0;
  console.log(`${era} over ${transport}: exit code ${code}, ${tools} tools, ${objections.length} objections`);
  if (!good) console.log(err || out.slice(0, 400));
  return good;
}

let good = true;
for (const transport of ['stdio', 'http']) {
  const checks = await Promise.all(['legacy', 'auto', 'modern'].map((era) => check(transport, era)));
  good = good && checks.every((one) => one);
}
rmSync(home, { recursive: true, force: true });
process.exit(good ? 0 : 1);
