// SPDX-License-Identifier: Apache-2.0
// The client of the tasks extension (ext-tasks, on SDK v2) against examples/conformance, direct and
// through the gateway.
//   tasks.mjs --program P --enfold P
import assert from 'node:assert/strict';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ways } from './clients.mjs';
import { inFolder, whileListening } from './started.mjs';

const { values: options } = parseArgs({ options: { program: { type: 'string' }, enfold: { type: 'string' } } });
// It has no entry for require, which the others are loaded by.
const { createTaskSessionFromClient } = await import(
  new URL('../peers/node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js', import.meta.url).href);

const protocolVersion = '2026-07-28';

// One request, as the transport of the SDK would send it.
const sender = (url) => async (request) => {
  const { method, params } = request;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': protocolVersion, 'Mcp-Method': method, 'Mcp-Name': params.taskId ?? params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
  const { result, error } = JSON.parse(lines.at(-1) ?? text);
  return error ? { kind: 'error', error } : { kind: 'result', result };
};

const scenarios = {
  async 'a task ends with the answer of its tool'(session, textOf) {
    const execution = await session.callTool('slow_compute', { seconds: 0.1, label: 'it' });
    assert.equal(execution.kind, 'task');
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'completed');
    assert.match(textOf(outcome.result), /computed it/u);
  },
  async 'a task asks, one question after the other'(session, textOf) {
    for (const [tool, said] of [['confirm_delete', /deleted a\.txt/u], ['multi_input', /both answered/u]]) {
      const execution = await session.callTool(tool, tool === 'confirm_delete' ? { filename: 'a.txt' } : {});
      const { outcome } = await execution.settle();
      assert.match(textOf(outcome.result), said);
    }
  },
  async 'a call asks first and then becomes a task'(session, textOf) {
    const { outcome } = await (await session.callTool('test_tool_with_task', {})).settle();
    assert.match(textOf(outcome.result), /Hello, Ada!/u);
  },
  async 'a failure of a tool is an answer, a protocol error is none'(session) {
    const failed = await (await session.callTool('failing_job', {})).settle();
    assert.equal(failed.outcome.result.isError, true);
    const broken = await (await session.callTool('protocol_error_job', {})).settle();
    assert.equal(broken.outcome.status, 'failed');
    assert.equal(broken.outcome.error.code, -32021);
  },
  async 'a task is cancelled'(session) {
    const execution = await session.callTool('slow_compute', { seconds: 60 });
    await execution.cancel();
    assert.equal((await execution.settle()).outcome.status, 'cancelled');
  },
};

async function playAt(url, name) {
  const { client } = await ways.at(-1).connect({ url });
  const session = createTaskSessionFromClient(client, {
    endpointId: name,
    rawDispatch: sender(url),
    v2RequestFraming: {
      protocolVersion,
      clientInfo: { name: 'tester', version: '1' },
      clientCapabilities: { elicitation: {} },
    },
    onInputRequest: async ({ params }) => ({
      action: 'accept',
      content: params.requestedSchema.properties.name ? { name: 'Ada' } : { confirm: true },
    }),
  });
  try {
    for (const [scenario, play] of Object.entries(scenarios)) {
      await play(session, (result) => result.content[0].text);
      console.log(`${name}: ${scenario}`);
    }
  } finally {
    await session.close();
    await client.close();
  }
}

await inFolder((cwd) => whileListening(path.resolve(options.program), ['--http', '0'], cwd, async ({ url }) => {
  await playAt(url, 'direct');
  for (const contract of ['none', 'response-v2']) {
    const words = ['serve', '--listen', '127.0.0.1:0', '--archive', 'memory', '--contract', contract, '--upstream', url];
    await whileListening(path.resolve(options.enfold), words, cwd, (place) => playAt(place.url, `through, ${contract}`));
  }
}));
