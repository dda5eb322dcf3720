// SPDX-License-Identifier: Apache-2.0
// Plays the script of an example (calls.json) through the TypeScript SDK's clients.
//   play.mjs --program P --calls F [--config F] [--contract NAME --enfold P] [--brief]
// Every client plays it, over stdio and HTTP and in each era it speaks. Then it is played at each
// level, where only errors, schemas and contract count. --brief: one client over each transport.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ways } from './clients.mjs';
import { Play } from './script.mjs';
import { withServer } from './started.mjs';

const { values: options } = parseArgs({
  options: {
    program: { type: 'string' }, calls: { type: 'string' }, config: { type: 'string' },
    contract: { type: 'string', default: 'none' }, enfold: { type: 'string' },
    brief: { type: 'boolean', default: false },
  },
});
// The program runs in a folder of its own.
for (const name of ['program', 'config']) {
  if (options[name]) options[name] = path.resolve(options[name]);
}
const script = JSON.parse(readFileSync(options.calls, 'utf8'));

async function playOnce(way, transport, level) {
  const words = options.config ? ['--config', options.config] : [];
  const play = await withServer(transport, options.program, words, async (place) => {
    const { client, transport: line } = await way.connect(place);
    const child = line._process;  // only over stdio
    const { tools } = await client.listTools();
    const started = new Play({ script, tools, contract: options.contract, level, expects: !level, era: way.era, sdk: way.sdk });
    try {
      await started.run(client);
    } finally {
      if (place.url && way.era === 'sessions') await line.terminateSession();
      await client.close();
    }
    if (child && child.exitCode !== 0) {
      started.complain('end', `expected exit code 0 after the end of input, found ${child.exitCode ?? child.signalCode}`);
    }
    return started;
  });
  play.validateContracts(options.enfold);
  return {
    problems: play.problems,
    summary: `${play.tools.size} tools, ${play.calls().length} calls, ${play.answers.length} envelopes`,
  };
}

const plays = options.brief ? [[ways[0], 'stdio'], [ways.at(-1), 'http']]
  : ['stdio', 'http'].flatMap((transport) => ways.map((way) => [way, transport]));
if (options.contract !== 'none') {
  for (const level of ['minimal', 'standard', 'full']) plays.push([ways.at(-1), 'stdio', level]);
}

// Each has a server of its own, so they need not wait for each other.
const reports = await Promise.all(plays.map(([way, transport, level]) =>
  playOnce(way, transport, level).catch((error) => ({ problems: [error.stack], summary: 'gave up' }))));
reports.forEach(({ problems, summary }, index) => {
  const [way, transport, level] = plays[index];
  console.log(`${way.name} over ${transport}${level ? `, level ${level}` : ''}: ${summary}`);
  for (const problem of problems) console.log(`  ${problem}`);
});
process.exit(reports.every(({ problems }) => problems.length === 0) ? 0 : 1);
