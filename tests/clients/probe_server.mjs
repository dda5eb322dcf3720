// SPDX-License-Identifier: Apache-2.0
// An MCP server over stdio, without a library. `probe` answers with a generated result of a kind and
// a size. Files of recorded calls may be given as arguments: tool `answer_1` repeats the first.
import fs from 'node:fs';
import readline from 'node:readline';
import { result_of } from './kinds.mjs';

const recorded = process.argv.slice(2).map((file) => JSON.parse(fs.readFileSync(file, 'utf8')));
const probe = {
  name: 'probe', description: 'Answers with a generated result',
  inputSchema: { type: 'object', properties: { kind: { type: 'string' }, size: { type: 'integer' } }, required: ['kind', 'size'] },
};
const repeating = recorded.map(({ toolDefinition }, i) => ({ ...toolDefinition, name: `answer_${i + 1}` }));

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } };
    case 'ping': return {};
    case 'tools/list': return { tools: recorded.length ? repeating : [probe] };
    case 'tools/call':
      if (params.name === 'probe') return result_of(params.arguments.kind, params.arguments.size);
      return recorded[Number(params.name.split('_')[1]) - 1].result;
    default: return undefined;
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = answer(method, params);
  const rest = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\n');
});
