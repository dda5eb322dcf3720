// SPDX-License-Identifier: Apache-2.0
// The TypeScript SDK's clients, v1 and v2, behind one function each. Both answer questions of the
// server: forms with values that fit, sampling with a text, roots with one folder.
import { createRequire } from 'node:module';

const peers = createRequire(new URL('../peers/package.json', import.meta.url));
const v1 = {
  ...peers('@modelcontextprotocol/sdk/client/index.js'),
  ...peers('@modelcontextprotocol/sdk/client/stdio.js'),
  ...peers('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ...peers('@modelcontextprotocol/sdk/types.js'),
};
const v2 = { ...peers('@modelcontextprotocol/client'), ...peers('@modelcontextprotocol/client/stdio') };

const info = { name: 'sdk-driver', version: '1.0.0' };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };

function answerFor(schema) {
  if (schema.default !== undefined) return schema.default;
  const choices = schema.enum ?? (schema.oneOf ?? schema.anyOf)?.map((one) => one.const);
  if (choices) return choices[0];
  if (schema.type === 'array') return [answerFor(schema.items)];
  return { string: 'Ada', integer: 7, number: 1.5, boolean: true }[schema.type];
}

function elicited({ params }) {
  const fields = Object.entries(params.requestedSchema?.properties ?? {});
  return { action: 'accept', content: Object.fromEntries(fields.map(([name, schema]) => [name, answerFor(schema)])) };
}

const sampled = () => ({
  role: 'assistant', model: 'no-model', stopReason: 'endTurn', content: { type: 'text', text: 'Paris' },
});
const rootsOf = (place) => () => ({ roots: [{ uri: place.root ?? 'file:///project', name: 'project' }] });

async function connectV1(place) {
  const client = new v1.Client(info, { capabilities });
  client.setRequestHandler(v1.ElicitRequestSchema, elicited);
  client.setRequestHandler(v1.CreateMessageRequestSchema, sampled);
  client.setRequestHandler(v1.ListRootsRequestSchema, rootsOf(place));
  const transport = place.url
    ? new v1.StreamableHTTPClientTransport(new URL(place.url))
    : new v1.StdioClientTransport({ command: place.command, args: place.args, cwd: place.cwd, env: place.env, stderr: 'pipe' });
  await client.connect(transport);
  const notices = {
    'notifications/tools/list_changed': v1.ToolListChangedNotificationSchema,
    'notifications/message': v1.LoggingMessageNotificationSchema,
  };
  return {
    client, transport,
    call: (params, options) => client.callTool(params, undefined, options),
    onNotice: (method, notice) => client.setNotificationHandler(notices[method], notice),
  };
}

async function connectV2(place, mode, expected) {
  const client = new v2.Client(info, { capabilities, versionNegotiation: { mode }, inputRequired: { maxRounds: 3 } });
  client.setRequestHandler('elicitation/create', elicited);
  client.setRequestHandler('sampling/createMessage', sampled);
  client.setRequestHandler('roots/list', rootsOf(place));
  const transport = place.url
    ? new v2.StreamableHTTPClientTransport(new URL(place.url))
    : new v2.StdioClientTransport({ command: place.command, args: place.args, cwd: place.cwd, env: place.env, stderr: 'pipe' });
  await client.connect(transport);
  const era = client.getProtocolEra();
  if (era !== expected) throw new Error(`expected a ${expected} connection, found ${era}`);
  return {
    client, transport,
    call: (params, options) => client.callTool(params, options),
    onNotice: (method, notice) => client.setNotificationHandler(method, notice),
  };
}

/** How a client of each version can be made to connect, and the era it then speaks. */
export const ways = [
  { name: 'SDK v1', sdk: 'v1', era: 'sessions', connect: connectV1 },
  { name: 'SDK v2, legacy', sdk: 'v2', era: 'sessions', connect: (place) => connectV2(place, 'legacy', 'legacy') },
  { name: 'SDK v2, auto', sdk: 'v2', era: 'stateless', connect: (place) => connectV2(place, 'auto', 'modern') },
  { name: 'SDK v2, 2026-07-28', sdk: 'v2', era: 'stateless', connect: (place) => connectV2(place, { pin: '2026-07-28' }, 'modern') },
];
