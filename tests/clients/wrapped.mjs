// SPDX-License-Identifier: Apache-2.0
// Clients from npm list and call servers that `enfold import --wrap` wrapped in the files that these
// clients read: each client starts with a stand-in model on loopback, calls a small and a large answer,
// and unwrapping restores its file.
//
//   wrapped.mjs PROGRAM [CLIENT…]     exit 77: `tools/setup clients` did not run
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { client_names, drive, is_installed } from './clients.mjs';

const program = path.resolve(process.argv[2]);
const wanted = process.argv.length > 3 ? process.argv.slice(3) : client_names;
const here = import.meta.dirname;
const server = { command: path.resolve(here, '../peers/node_modules/.bin/node'), args: [path.join(here, 'probe_server.mjs')] };
// What each client reads: tests/clients/clients.mjs writes it.
const files = { 'claude-code': 'mcp.json', opencode: 'opencode.json', gemini: '.gemini/settings.json' };

const missing = wanted.filter((name) => !is_installed(name));
if (missing.length) {
  console.error(`SKIPPED: ${missing.join(', ')} not installed; run: tools/setup clients`);
  process.exit(77);
}

const expect = (truth, what) => { if (!truth) throw new Error(what); };
const calls = [{ kind: 'prose', size: 200 }, { kind: 'json', size: 200_000 }];

let failed = 0;
for (const client of wanted) {
  try {
    let file, before, wrapped, home;
    const enfold = (...args) => execFileSync(program, args, { cwd: home, env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8' });
    const prepare = (folder) => {
      home = folder;
      file = path.join(home, files[client]);
      before = fs.readFileSync(file);
      enfold('import', '--wrap', '--yes', '--program', program, file);
      wrapped = fs.readFileSync(file, 'utf8');
      expect(wrapped.includes('"wrap"') && wrapped.includes(program), `not wrapped:\n${wrapped}`);
      // The client gets a file that unwrapping restores.
      enfold('import', '--unwrap', '--yes', file);
      expect(fs.readFileSync(file).equals(before), 'unwrapping did not restore the file');
      enfold('import', '--wrap', '--yes', '--program', program, file);
      expect(fs.readFileSync(file, 'utf8') === wrapped, 'wrapped again, the file is another one');
    };
    const seen = await drive(client, { probe: server }, [{ server: 'probe', tool: 'probe' }],
      (i) => (i < calls.length ? { server: 'probe', tool: 'probe', args: calls[i] } : null), { prepare });
    const [small, large] = seen.map((one) => one.text.replaceAll('\\"', '"'));
    expect(small.includes('"success":true') && small.includes('END.'), `the small answer: ${small.slice(0, 500)}`);
    expect(large.includes('"success":true') && large.includes('enfold_fetch'), `the large answer: ${large.slice(0, 500)}`);
    expect(large.length < 150_000, `the large answer has ${large.length} characters`);
    console.log(`ok      ${client}: ${small.length} and ${large.length} characters through a wrapped server`);
  } catch (error) {
    failed++;
    console.error(`FAILED  ${client}: ${error.stack}`);
  }
}
process.exit(failed ? 1 : 0);
