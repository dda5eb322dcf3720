// SPDX-License-Identifier: Apache-2.0
// The example hello with the TypeScript SDK over stdio, as its documentation writes a server.
//   node node_hello.mjs [1|2]      the version of the SDK
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const peers = createRequire(new URL('../tests/peers/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(peers.resolve(name)).href);
const isFirst = process.argv[2] !== '2';
const { McpServer } = await load(
  isFirst ? '@modelcontextprotocol/sdk/server/mcp.js' : '@modelcontextprotocol/server');
const { StdioServerTransport } = await load(
  isFirst ? '@modelcontextprotocol/sdk/server/stdio.js' : '@modelcontextprotocol/server/stdio');
const { z } = await load('zod');

const server = new McpServer({ name: 'hello', version: '1.0.0' });
const shape = (members) => (isFirst ? members : z.object(members));
server.registerTool(
  'greet',
  {
    description: 'Greets somebody by name',
    inputSchema: shape({ name: z.string().describe('Whom to greet') }),
    outputSchema: shape({ greeting: z.string() }),
    annotations: { readOnlyHint: true },
  },
  async ({ name }) => {
    const greeting = { greeting: `Hello, ${name}!` };
    return { content: [{ type: 'text', text: JSON.stringify(greeting) }], structuredContent: greeting };
  },
);
await server.connect(new StdioServerTransport());
