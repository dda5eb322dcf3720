// SPDX-License-Identifier: Apache-2.0
// A script of calls (calls.json), played by one client against one server: the schemas compile,
// every call holds, every tool is called, every answer fits the announced schema and its contract,
// and its text says the same as its structure.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { at, complaints, filled, fits } from './expectation.mjs';
import { compiled } from './schemas.mjs';

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

export class Play {
  /**
   * `script`: the calls. `contract`: of the answers, or none. `level`: asked for with every call.
   * `expects`: whether what the script expects counts. `saved`: variables that are there from the
   * beginning. `era` and `sdk`: which calls are made.
   */
  constructor({ script, tools, contract, level, expects = true, saved, era, sdk }) {
    this.script = script;
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.contract = contract;
    this.level = level;
    this.expects = expects;
    this.era = era;
    this.sdk = sdk;
    this.validators = new Map();
    this.problems = [];
    this.saved = { ...saved };
    this.results = new Map();  // by the name of the call
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
    const called = new Set(this.script.map((call) => call.tool));
    const own = Object.keys(ownCalls).filter((tool) => this.tools.has(tool) && !called.has(tool));
    return [...this.script, ...own.flatMap((tool) => ownCalls[tool])].filter(
      (call) => (call.era ?? this.era) === this.era && (call.sdk ?? this.sdk) === this.sdk);
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
      result = call.task ? await this.asTask(client, params) : await client.callTool(params);
    } catch (error) {
      // What a server answers with a result, a gateway may refuse before it asks the server.
      const wanted = call.throws ?? call.refused;
      if (wanted === undefined) this.complain(call.name, error.message);
      else if (!fits(error.message, wanted)) {
        this.complain(call.name, `expected an error ${JSON.stringify(wanted)}, found ${error.message}`);
      }
      return;
    }
    if (call.throws !== undefined) this.complain(call.name, `expected an error, found ${JSON.stringify(result)}`);
    this.check(call, result);
  }

  // Only SDK v1 knows them.
  async asTask(client, params) {
    const statuses = [];
    for await (const message of client.experimental.tasks.callToolStream(params)) {
      if (message.type === 'result') return message.result;
      if (message.type === 'error') throw message.error;
      statuses.push(message.task.status);
    }
    throw new Error(`expected a result, found only ${statuses.join(', ')}`);
  }

  check(call, result) {
    this.results.set(call.name, result);
    const isError = result.isError ?? false;
    if (isError !== (call.error ?? false)) {
      this.complain(call.name, `expected isError ${call.error ?? false}, found ${JSON.stringify(result)}`);
    }
    if (this.expects) {
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
    const contract = call.contract ?? this.contract;
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
  validateContracts(enfold) {
    const folder = mkdtempSync(path.join(tmpdir(), 'enfold-sdk-answers-'));
    try {
      for (const contract of new Set(this.answers.map((answer) => answer.contract))) {
        const answers = this.answers.filter((answer) => answer.contract === contract);
        const files = answers.map((answer, index) => {
          const file = path.join(folder, `${index}.json`);
          writeFileSync(file, JSON.stringify(answer.structure));
          return file;
        });
        const done = spawnSync(enfold, ['validate', '--json', '--contract', contract, ...files], { encoding: 'utf8' });
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
