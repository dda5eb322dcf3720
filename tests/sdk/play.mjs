// SPDX-License-Identifier: Apache-2.0
// Plays the script of an example (calls.json) through the TypeScript SDK's clients.
//   play.mjs --program P --calls F [--config F] [--contract NAME --enfold P] [--brief]
// Every client lists every tool, over stdio and HTTP and in each era it speaks; the schemas compile,
// every call of the script holds, every tool is called, every answer fits the announced schema and
// the contract, and its text says the same as its structure. Then the script is played at each
// level, where only errors, schemas and contract count. --brief: one client over each transport.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ways } from './clients.mjs';
import { at, complaints, filled, fits } from './expectation.mjs';
import { compiled } from './schemas.mjs';
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

// The tools that come with the library, for scripts that are about something else.
const ownCalls = {
  server: [
    ...['capabilities', 'tools', 'flags'].map((action) => ({ name: `server ${action}`, tool: 'server', arguments: { action } })),
    { name: 'server schema', tool: 'server', arguments: { action: 'schema', tool: 'enfold_fetch' } },
    { name: 'server without an action', tool: 'server', arguments: {}, error: true },
  ],
  enfold_fetch: [
    { name: 'fetch what is not there', tool: 'enfold_fetch', arguments: { id: 'arc_0000000000000000' }, error: true },
  ],
};

class Play {
  constructor(way, tools, level) {
    this.way = way;
    this.level = level;
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.validators = new Map();
    this.problems = [];
    this.saved = {};
    this.answers = [];
    this.called = new Set();
  }

  complain(where, what) {
    this.problems.push(`${where}: ${what}`);
  }

  compileSchemas() {
    for (const tool of this.tools.values()) {
      for (const kind of ['inputSchema', 'outputSchema']) {
        if (!tool[kind]) continue;
        try {
          const check = compiled(tool[kind]);
          if (kind === 'outputSchema') this.validators.set(tool.name, check);
        } catch (error) {
          this.complain(`${kind} of ${tool.name}`, error.message);
        }
      }
    }
  }

  calls() {
    const called = new Set(script.map((call) => call.tool));
    const own = Object.keys(ownCalls).filter((tool) => this.tools.has(tool) && !called.has(tool));
    return [...script, ...own.flatMap((tool) => ownCalls[tool])].filter(
      (call) => call.era === undefined || call.era === this.way.era);
  }

  async run(client) {
    this.compileSchemas();
    for (const call of this.calls()) await this.play(client, call);
    for (const name of this.tools.keys()) {
      if (!this.called.has(name)) this.complain(name, 'is never called');
    }
  }

  async play(client, call) {
    this.called.add(call.tool);
    const params = { name: call.tool, arguments: filled(call.arguments ?? {}, this.saved) };
    const meta = { ...call.meta, ...(this.level && { 'dev.enfold/level': this.level }) };
    if (Object.keys(meta).length > 0) params._meta = meta;
    let result;
    try {
      result = await client.callTool(params);
    } catch (error) {
      if (call.throws === undefined) this.complain(call.name, error.message);
      else if (!fits(error.message, call.throws)) {
        this.complain(call.name, `expected an error ${JSON.stringify(call.throws)}, found ${error.message}`);
      }
      return;
    }
    if (call.throws !== undefined) this.complain(call.name, `expected an error, found ${JSON.stringify(result)}`);
    this.check(call, result);
  }

  check(call, result) {
    const isError = result.isError ?? false;
    if (isError !== (call.error ?? false)) {
      this.complain(call.name, `expected isError ${call.error ?? false}, found ${JSON.stringify(result)}`);
    }
    if (!this.level) {
      for (const one of complaints(result, call.expect, this.saved)) this.complain(call.name, one);
    }
    for (const [name, pointer] of Object.entries(call.save ?? {})) {
      this.saved[name] = at(result, pointer);
      if (this.saved[name] === undefined) this.complain(call.name, `${pointer}: nothing to save as ${name}`);
    }
    const structure = result.structuredContent;
    const validate = this.validators.get(call.tool);
    if (validate && structure !== undefined) {
      for (const one of validate(structure)) this.complain(call.name, `output schema: ${one}`);
    }
    const contract = call.contract ?? options.contract;
    if (contract === 'none') return;
    if (structure === undefined) {
      this.complain(call.name, 'expected an envelope as structuredContent, found none');
      return;
    }
    this.answers.push({ name: call.name, contract, structure });
    const text = result.content.find((block) => block.type === 'text')?.text;
    let said;
    try { said = JSON.parse(text); } catch { said = undefined; }
    if (!isDeepStrictEqual(said, structure)) {
      this.complain(call.name, `the text says something else than the structure: ${text}`);
    }
  }

  // One process for all answers of a contract.
  validateContracts() {
    const folder = mkdtempSync(path.join(tmpdir(), 'enfold-sdk-answers-'));
    try {
      for (const contract of new Set(this.answers.map((answer) => answer.contract))) {
        const answers = this.answers.filter((answer) => answer.contract === contract);
        const files = answers.map((answer, index) => {
          const file = path.join(folder, `${index}.json`);
          writeFileSync(file, JSON.stringify(answer.structure));
          return file;
        });
        const done = spawnSync(options.enfold, ['validate', '--json', '--contract', contract, ...files], { encoding: 'utf8' });
        const lines = done.stdout.trim().split('\n');
        if (lines.length !== files.length) this.complain(contract, `${done.error ?? ''}${done.stderr}`);
        lines.filter((line) => line).map((line) => JSON.parse(line)).forEach((one, index) => {
          if (!one.valid) this.complain(answers[index].name, `${contract}: ${JSON.stringify(one.violations)}`);
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function playOnce(way, transport, level) {
  const words = options.config ? ['--config', options.config] : [];
  const play = await withServer(transport, options.program, words, async (place) => {
    const { client, transport: line } = await way.connect(place);
    const child = line._process;  // only over stdio
    const { tools } = await client.listTools();
    const started = new Play(way, tools, level);
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
  play.validateContracts();
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
