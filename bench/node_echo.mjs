// SPDX-License-Identifier: Apache-2.0
// The tool `echo` on the TypeScript SDK over Node's own HTTP server, without a web framework, with
// JSON answers in place of event streams: the quickest way that the SDK offers.
//   node node_echo.mjs          prints its port
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const peers = createRequire(new URL('../tests/peers/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(peers.resolve(name)).href);
const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
const { StreamableHTTPServerTransport } =
  await load('@modelcontextprotocol/sdk/server/streamableHttp.js');
const { z } = await load('zod');

function makeServer() {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool(
    'echo',
    {
      description: 'Says the same again',
      inputSchema: { text: z.string() },
      outputSchema: {
        success: z.boolean(),
        data: z.object({ text: z.string() }).nullable(),
        error: z.string().nullable(),
        meta: z.object({ version: z.string(), request_id: z.string() }),
      },
    },
    ({ text }) => {
      const envelope = {
        success: true,
        data: { text },
        error: null,
        meta: { version: 'response-v2', request_id: `req_${randomUUID().slice(0, 12)}` },
      };
      return {
        content: [{ type: 'text', text: JSON.stringify(envelope) }],
        structuredContent: envelope,
      };
    },
  );
  return server;
}

const sessions = new Map();
const http = createServer(async (request, response) => {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await makeServer().connect(transport);
  }
  await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1', () => console.log(http.address().port));
