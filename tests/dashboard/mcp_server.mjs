// SPDX-License-Identifier: Apache-2.0
// An MCP server on standard input and output: as little of the protocol as tools need.
import { createInterface } from 'node:readline';

// `tools`: functions from arguments to a result; `more(name)`: further members of a definition.
export function serve(name, tools, more = () => ({})) {
  const list = Object.keys(tools).map((tool) => ({
    name: tool, inputSchema: { type: 'object', properties: { text: { type: 'string', description: 'What to say' } } }, ...more(tool),
  }));
  const result = ({ method, params = {} }) => {
    switch (method) {
      case 'initialize': return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version: '1.0.0' } };
      case 'tools/list': return { tools: list };
      case 'tools/call': return tools[params.name]?.(params.arguments ?? {});
      case 'ping': return {};
      default: return undefined;
    }
  };
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined) return;
    const value = await result(message);
    const reply = value ? { result: value } : { error: { code: -32601, message: 'unknown method or tool' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply }) + '\n');
  });
}
