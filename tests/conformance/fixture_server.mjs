// SPDX-License-Identifier: Apache-2.0
// An MCP server of both eras (2026-07-28 and 2025-11-25) on the official TypeScript SDK, for the
// gateway to stand in front of. It has every tool, resource and prompt that the official suite asks
// for, and "probe_*" tools with awkward results.
//   node fixture_server.mjs stdio
//   node fixture_server.mjs http PORT     says `fixture on 127.0.0.1:PORT/mcp` on standard error
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import http from 'node:http';
import { randomUUID } from 'node:crypto';
const req = createRequire(new URL('../peers/package.json', import.meta.url));
const esm = (m) => import(pathToFileURL(req.resolve(m)).href.replace(/\.cjs$/, '.mjs'));
const S = await esm('@modelcontextprotocol/server');
const { z } = await import(pathToFileURL(req.resolve('zod')).href);
const { McpServer, ResourceTemplate, createMcpHandler, isLegacyRequest, inputRequired, acceptedContent, inputResponse, createRequestStateCodec, fromJsonSchema, completable } = S;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==';
const codec = createRequestStateCodec({ key: new Uint8Array(32).fill(7), ttlSeconds: 600 });
const text = (t, more) => ({ content: [{ type: 'text', text: t }], ...more });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const none = z.object({});
let notifier; // set once the HTTP handler exists
const SCHEMA_2020 = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } }, properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' }, contactMethod: { type: 'string', enum: ['phone', 'email'] }, phone: { type: 'string' }, email: { type: 'string' } }, allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }], if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] }, then: { required: ['phone'] }, else: { required: ['email'] }, additionalProperties: false };

const caps = (ctx) => ctx.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'];
const ask = { user_name: () => inputRequired.elicit({ message: 'What is your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } }) };
const sampleReq = (t, n = 100) => inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: t } }], maxTokens: n });

export function build(reqCtx) {
  const modern = reqCtx?.era === 'modern';
  const s = new McpServer({ name: 'fixture-server', version: '1.0.0', title: 'Dual-era fixture' }, {
    capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {}, completions: {} },
    instructions: 'Fixture server for gateway tests.', requestState: { verify: (st, ctx) => codec.verify(st, ctx) },
  });
  const tool = (name, cfg, fn) => s.registerTool(name, { description: name.replace(/_/g, ' '), inputSchema: none, ...cfg }, fn);
  // --- plain content kinds
  tool('test_simple_text', {}, async () => text('This is a simple text response for testing.'));
  tool('test_image_content', {}, async () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }));
  tool('test_audio_content', {}, async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', {}, async () => ({ content: [{ type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }] }));
  tool('test_multiple_content_types', {}, async () => ({ content: [{ type: 'text', text: 'Multiple content types test:' }, { type: 'image', data: PNG, mimeType: 'image/png' }, { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' } }] }));
  tool('test_error_handling', {}, async () => { throw new Error('This tool intentionally returns an error for testing'); });
  const logThrice = async (_a, ctx) => { for (const m of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) { await ctx.mcpReq.log('info', m); await sleep(50); } return text('logged'); };
  tool('test_tool_with_logging', {}, logThrice);
  tool('test_logging_tool', {}, logThrice);
  tool('test_tool_with_progress', {}, async (_a, ctx) => { const tk = ctx.mcpReq._meta?.progressToken; for (const p of [0, 50, 100]) { if (tk !== undefined) await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: tk, progress: p, total: 100 } }); await sleep(50); } return text('progress done'); });
  tool('json_schema_2020_12_tool', { inputSchema: fromJsonSchema(SCHEMA_2020) }, async (a) => text(JSON.stringify(a)));
  tool('test_reconnection', {}, async (_a, ctx) => { ctx.http?.closeSSE?.(); await sleep(100); return text('reconnected'); });
  // --- legacy push style (2025 era only)
  tool('test_sampling', { inputSchema: z.object({ prompt: z.string() }) }, async ({ prompt }, ctx) => { const r = await ctx.mcpReq.requestSampling({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 }); return text('LLM response: ' + JSON.stringify(r.content)); });
  const elicit = (schema) => async (a, ctx) => { const r = await ctx.mcpReq.elicitInput({ mode: 'form', message: a.message ?? 'please fill', requestedSchema: schema }); return text(`Elicitation completed: action=${r.action}, content=${JSON.stringify(r.content ?? {})}`); };
  tool('test_elicitation', { inputSchema: z.object({ message: z.string() }) }, elicit({ type: 'object', properties: { username: { type: 'string' }, email: { type: 'string' } }, required: ['username', 'email'] }));
  tool('test_elicitation_sep1034_defaults', {}, elicit({ type: 'object', properties: { name: { type: 'string', default: 'John Doe' }, age: { type: 'integer', default: 30 }, score: { type: 'number', default: 95.5 }, status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' }, verified: { type: 'boolean', default: true } }, required: [] }));
  const opts = (p, t) => [1, 2, 3].map((i) => ({ const: p + i, title: `${['First', 'Second', 'Third'][i - 1]} ${t}` }));
  tool('test_elicitation_sep1330_enums', {}, elicit({ type: 'object', properties: { untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] }, titledSingle: { type: 'string', oneOf: opts('value', 'Option') }, legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] }, untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } }, titledMulti: { type: 'array', items: { anyOf: opts('value', 'Choice') } } }, required: [] }));
  // --- multi round-trip (2026 era)
  const R = (ctx) => ctx.mcpReq.inputResponses;
  tool('test_input_required_result_elicitation', {}, async (_a, ctx) => { const c = acceptedContent(R(ctx), 'user_name'); return typeof c?.name === 'string' ? text(`Hello, ${c.name}!`) : inputRequired({ inputRequests: { user_name: ask.user_name() } }); });
  tool('test_input_required_result_sampling', {}, async (_a, ctx) => { const v = inputResponse(R(ctx), 'capital_question'); return v.kind === 'sampling' ? text('Sampled: ' + JSON.stringify(v.result.content)) : inputRequired({ inputRequests: { capital_question: sampleReq('What is the capital of France?') } }); });
  tool('test_input_required_result_list_roots', {}, async (_a, ctx) => { const v = inputResponse(R(ctx), 'client_roots'); return v.kind === 'roots' ? text('Roots: ' + v.roots.map((r) => r.uri).join(', ')) : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }); });
  const confirm = () => inputRequired.elicit({ message: 'Please confirm', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } });
  const stateful = (name) => tool(name, {}, async (_a, ctx) => { const st = ctx.mcpReq.requestState(); if (st && R(ctx)?.confirm) return text('state-ok'); return inputRequired({ inputRequests: { confirm: confirm() }, requestState: await codec.mint({ step: 1, tool: name }, ctx) }); });
  stateful('test_input_required_result_request_state'); stateful('test_input_required_result_tampered_state');
  tool('test_input_required_result_multiple_inputs', {}, async (_a, ctx) => { const r = R(ctx); if (r?.user_name && r?.greeting && r?.client_roots) return text('all inputs received'); return inputRequired({ inputRequests: { user_name: ask.user_name(), greeting: sampleReq('Generate a greeting', 50), client_roots: inputRequired.listRoots() }, requestState: await codec.mint({ step: 1 }, ctx) }); });
  tool('test_input_required_result_multi_round', {}, async (_a, ctx) => { const st = ctx.mcpReq.requestState(); const q = (k, m, f) => ({ [k]: inputRequired.elicit({ message: m, requestedSchema: { type: 'object', properties: { [f]: { type: 'string' } }, required: [f] } }) }); if (!st) return inputRequired({ inputRequests: q('step1', 'Step 1: What is your name?', 'name'), requestState: await codec.mint({ step: 1 }, ctx) }); if (st.step === 1) return inputRequired({ inputRequests: q('step2', 'Step 2: What is your favorite color?', 'color'), requestState: await codec.mint({ step: 2 }, ctx) }); return text('multi-round complete'); });
  tool('test_input_required_result_capabilities', {}, async (_a, ctx) => { const c = caps(ctx) ?? {}; const i = {}; if (c.sampling) i.q = sampleReq('hi'); if (c.elicitation) i.e = ask.user_name(); return Object.keys(i).length ? inputRequired({ inputRequests: i }) : text('no capability'); });
  tool('test_streaming_elicitation', {}, async (_a, ctx) => inputRequired({ inputRequests: { user_name: ask.user_name() } }));
  // an input request for an undeclared capability makes the SDK answer -32021 / HTTP 400 by itself
  tool('test_missing_capability', {}, async (_a, ctx) => (modern && inputResponse(R(ctx), 'q').kind === 'missing' ? inputRequired({ inputRequests: { q: sampleReq('hi') } }) : text('ok')));
  tool('test_trigger_tool_change', {}, async () => { (notifier ? notifier.toolsChanged() : s.sendToolListChanged()); return text('changed'); });
  tool('test_trigger_prompt_change', {}, async () => { (notifier ? notifier.promptsChanged() : s.sendPromptListChanged()); return text('changed'); });
  tool('test_x_mcp_header', { inputSchema: fromJsonSchema({ type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, n: { type: 'integer', 'x-mcp-header': 'N' } } }) }, async (a) => text(JSON.stringify(a)));
  // --- probes: awkward results for envelope / budget work
  tool('probe_long_text', { inputSchema: z.object({ bytes: z.number().int() }) }, async ({ bytes }) => text('0123456789abcde\n'.repeat(Math.ceil(bytes / 16)).slice(0, bytes)));
  tool('probe_array_output', { outputSchema: z.array(z.object({ id: z.string(), n: z.number() })), inputSchema: z.object({ count: z.number().int().default(3) }) }, async ({ count }) => { const a = Array.from({ length: count }, (_, i) => ({ id: 'i' + i, n: i })); return { content: [{ type: 'text', text: `${count} items` }], structuredContent: a }; });
  tool('probe_object_output', { outputSchema: z.object({ ok: z.boolean(), rows: z.array(z.number()) }).strict(), inputSchema: z.object({ rows: z.number().int().default(10) }) }, async ({ rows }) => { const o = { ok: true, rows: Array.from({ length: rows }, (_, i) => i) }; return { content: [{ type: 'text', text: JSON.stringify(o) }], structuredContent: o }; });
  tool('probe_empty_content', {}, async () => ({ content: [] }));
  tool('probe_meta', {}, async () => ({ content: [{ type: 'text', text: 'with meta', annotations: { audience: ['assistant'], priority: 0.2, lastModified: '2026-01-01T00:00:00Z' }, _meta: { 'com.example/block': 1 } }], _meta: { 'com.example/trace': 'abc' } }));
  tool('probe_error_block', {}, async () => ({ content: [{ type: 'text', text: 'quota exceeded; retry after 30s' }], isError: true, structuredContent: { code: 'RATE_LIMIT', retryAfter: 30 } }));
  tool('probe_image_structured', {}, async () => ({ content: [{ type: 'text', text: 'TEXT-PART' }, { type: 'image', data: PNG, mimeType: 'image/png' }, { type: 'resource_link', uri: 'test://static-text', name: 'link' }], structuredContent: { marker: 'STRUCTURED-PART' } }));
  tool('probe_error_two_texts', {}, async () => ({ content: [{ type: 'text', text: 'FIRST' }, { type: 'text', text: 'SECOND' }], isError: true }));
  tool('probe_long_text_raised', { _meta: { 'anthropic/maxResultSizeChars': 500000 }, inputSchema: z.object({ bytes: z.number().int() }) }, async ({ bytes }) => text('0123456789abcde\n'.repeat(Math.ceil(bytes / 16)).slice(0, bytes)));
  tool('probe_long_structured', { inputSchema: z.object({ items: z.number().int() }) }, async ({ items }) => ({ content: [{ type: 'text', text: items + ' items' }], structuredContent: { items: Array.from({ length: items }, (_, i) => ({ id: i, name: 'item number ' + i })) } }));
  tool('probe_slow', { inputSchema: z.object({ ms: z.number().int() }) }, async ({ ms }, ctx) => { const end = Date.now() + ms; while (Date.now() < end && !ctx.mcpReq.signal.aborted) await sleep(10); return text(ctx.mcpReq.signal.aborted ? 'aborted' : 'slow done'); });
  tool('probe_links', {}, async () => ({ content: [{ type: 'resource_link', uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain', size: 47, annotations: { priority: 0.9 } }] }));
  // --- resources
  const cacheHint = { ttlMs: 60000, cacheScope: 'public' };
  s.registerResource('static-text', 'test://static-text', { description: 'static text', mimeType: 'text/plain', cacheHint }, async (u) => ({ contents: [{ uri: u.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }));
  s.registerResource('static-binary', 'test://static-binary', { description: 'static png', mimeType: 'image/png', cacheHint }, async (u) => ({ contents: [{ uri: u.href, mimeType: 'image/png', blob: PNG }] }));
  s.registerResource('watched', 'test://watched-resource', { description: 'watched', mimeType: 'text/plain' }, async (u) => ({ contents: [{ uri: u.href, mimeType: 'text/plain', text: 'Watched resource content' }] }));
  s.registerResource('template', new ResourceTemplate('test://template/{id}/data', { list: undefined }), { description: 'template', mimeType: 'application/json' }, async (u, { id }) => ({ contents: [{ uri: u.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] }));
  if (!modern) { s.server.setRequestHandler('resources/subscribe', async () => ({})); s.server.setRequestHandler('resources/unsubscribe', async () => ({})); }
  // --- prompts
  const user = (content) => ({ role: 'user', content });
  s.registerPrompt('test_simple_prompt', { description: 'simple' }, async () => ({ messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })] }));
  s.registerPrompt('test_prompt_with_arguments', { description: 'args', argsSchema: z.object({ arg1: completable(z.string(), (v) => ['paris', 'park', 'party'].filter((x) => x.startsWith(v))), arg2: z.string() }) }, async ({ arg1, arg2 }) => ({ messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })] }));
  s.registerPrompt('test_prompt_with_embedded_resource', { description: 'embedded', argsSchema: z.object({ resourceUri: z.string() }) }, async ({ resourceUri }) => ({ messages: [user({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } }), user({ type: 'text', text: 'Please process the embedded resource above.' })] }));
  s.registerPrompt('test_prompt_with_image', { description: 'image' }, async () => ({ messages: [user({ type: 'image', data: PNG, mimeType: 'image/png' }), user({ type: 'text', text: 'Please analyze the image above.' })] }));
  s.registerPrompt('test_input_required_result_prompt', { description: 'mrtr prompt' }, async (ctx) => { const c = acceptedContent(ctx.mcpReq.inputResponses, 'user_context'); return c ? { messages: [user({ type: 'text', text: `Context: ${c.context}` })] } : inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] } }) } }); });
  return s;
}

const [mode, port] = process.argv.slice(2);
if (mode === 'stdio') {
  const { serveStdio } = await esm('@modelcontextprotocol/server/stdio');
  serveStdio(build);
} else {
  const { toNodeHandler, toWebRequest, NodeStreamableHTTPServerTransport, localhostHostValidation, localhostOriginValidation } = await esm('@modelcontextprotocol/node');
  const handler = createMcpHandler(build, { legacy: 'reject' });
  notifier = handler.notify;
  const modernNode = toNodeHandler(handler);
  const sessions = new Map(); const events = [];
  const eventStore = { async storeEvent(streamId, message) { const id = `${streamId}_${events.length}`; events.push({ id, streamId, message }); return id; }, async getStreamIdForEventId(id) { return events.find((e) => e.id === id)?.streamId; }, async replayEventsAfter(id, { send }) { const i = events.findIndex((e) => e.id === id); const sid = events[i]?.streamId; for (const e of events.slice(i + 1)) if (e.streamId === sid) await send(e.id, e.message); return sid; } };
  const hostOk = localhostHostValidation(), originOk = localhostOriginValidation();
  http.createServer(async (rq, rs) => {
    if (!hostOk(rq, rs) || !originOk(rq, rs)) return;
    if (new URL(rq.url, 'http://x').pathname !== '/mcp') { rs.writeHead(404).end(); return; }
    const chunks = []; for await (const c of rq) chunks.push(c);
    let body; try { body = chunks.length ? JSON.parse(Buffer.concat(chunks)) : undefined; } catch { rs.writeHead(400, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'); return; }
    if (!(await isLegacyRequest(await toWebRequest(rq, body), body))) return modernNode(rq, rs, body);
    const sid = rq.headers['mcp-session-id'];
    let t = sid && sessions.get(sid);
    if (!t) {
      if (sid) { rs.writeHead(404, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'); return; }
      if (body?.method !== 'initialize') { rs.writeHead(400, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: no session"},"id":null}'); return; }
      t = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), eventStore, retryInterval: 500, onsessioninitialized: (id) => sessions.set(id, t) });
      t.onclose = () => sessions.delete(t.sessionId);
      await build({ era: 'legacy' }).connect(t);
    }
    await t.handleRequest(rq, rs, body);
  }).listen(Number(port), '127.0.0.1', function () { console.error(`fixture on 127.0.0.1:${this.address().port}/mcp`); });
}
