// SPDX-License-Identifier: Apache-2.0
// Runs a client from npm with a stand-in model on loopback, which makes the calls it is given and
// keeps what the client shows it of each answer. `next(i, seen)` returns the call number i, knowing
// what came of the one before: {server, tool, args}, or null at the end.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const node = path.resolve(here, '../peers/node_modules/.bin/node');
// The programs themselves: the links in .bin lead to them only after scripts of the packages ran.
const system = `${process.platform}-${process.arch}`;
const programs = {
  claude: `@anthropic-ai/claude-code-${system}/claude`,
  opencode: `opencode-${system}/bin/opencode`,
  gemini: '@google/gemini-cli/bundle/gemini.js',
};
const program = (name) => path.join(here, 'node_modules', programs[name]);

const body_of = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
};
const send_json = (response, value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const send_events = (response, events) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));

const text_of = (blocks) => blocks.filter((b) => b.type === 'text').map((b) => b.text).join('\n');

// Each: the name of a tool as its model sees it, the API of the model, the start of the program.
const clients = {
  'claude-code': {
    tool: (server, tool) => `mcp__${server}__${tool}`,
    async serve(request, response, session) {
      const url = request.url;
      if (request.method !== 'POST' || !url.includes('/messages')) return response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
      const text = await body_of(request);
      const body = JSON.parse(text);
      if (url.includes('count_tokens')) {
        const input_tokens = session.count(body.messages);
        session.counted.push(input_tokens);
        return send_json(response, { input_tokens });
      }
      for (const message of body.messages) {
        if (!Array.isArray(message.content)) continue;
        for (const block of message.content) {
          if (block.type !== 'tool_result') continue;
          const blocks = typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : block.content ?? [];
          session.see(block.tool_use_id, { text: text_of(blocks), images: blocks.filter((b) => b.type === 'image').length, is_error: !!block.is_error });
        }
      }
      const call = (body.tools ?? []).length > 3 ? session.call() : null;
      const block = call ? { type: 'tool_use', id: call.id, name: call.name, input: {} } : { type: 'text', text: '' };
      const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) } : { type: 'text_delta', text: 'done' };
      const stop_reason = call ? 'tool_use' : 'end_turn';
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } };
      if (!body.stream) return send_json(response, { ...message, content: [call ? { ...block, input: call.args } : { type: 'text', text: 'done' }], stop_reason });
      const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
      return send_events(response, [event('message_start', { message }), event('content_block_start', { index: 0, content_block: block }),
        event('content_block_delta', { index: 0, delta }), event('content_block_stop', { index: 0 }),
        event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }), event('message_stop', {})]);
    },
    start(home, port, servers, names) {
      const config = path.join(home, 'mcp.json');
      fs.writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(servers).map(([k, v]) => [k, { type: 'stdio', ...v }])) }));
      return { file: program('claude'), args: ['-p', 'go', '--mcp-config', config, '--strict-mcp-config', '--allowedTools', names.join(','), '--output-format', 'json'], cwd: home,
        env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: 'none', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ENABLE_TOOL_SEARCH: 'false' } };
    },
  },
  opencode: {
    tool: (server, tool) => `${server}_${tool}`,
    async serve(request, response, session) {
      if (!request.url.includes('chat/completions')) return response.writeHead(404).end();
      const body = JSON.parse(await body_of(request));
      const answers = [];
      for (const { role, tool_call_id: id, content } of body.messages) {
        if (role === 'tool') answers.push([id, { text: typeof content === 'string' ? content : text_of(content), images: 0, is_error: false }]);
        // Media of an answer come in a message of the user behind it.
        if (role === 'user' && answers.length && Array.isArray(content)) answers.at(-1)[1].images += content.filter((c) => c.type !== 'text').length;
      }
      for (const [id, what] of answers) session.see(id, what);
      const call = (body.tools ?? []).length > 0 ? session.call() : null;
      const delta = call ? { role: 'assistant', tool_calls: [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }] } : { role: 'assistant', content: 'done' };
      const chunk = (rest) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...rest })}\n\n`;
      return send_events(response, [chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }), 'data: [DONE]\n\n']);
    },
    start(home, port, servers) {
      const mcp = Object.fromEntries(Object.entries(servers).map(([k, v]) => [k, { type: 'local', command: [v.command, ...v.args], enabled: true }]));
      const model = { name: 'm', limit: { context: 1000000, output: 8000 }, attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } };
      const provider = { stand_in: { npm: '@ai-sdk/openai-compatible', name: 'stand_in', options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none' }, models: { m: model } } };
      fs.writeFileSync(path.join(home, 'opencode.json'), JSON.stringify({ autoupdate: false, share: 'disabled', provider, model: 'stand_in/m', small_model: 'stand_in/m', mcp }));
      return { file: program('opencode'), args: ['run', 'go', '--print-logs'], cwd: home, env: {} };
    },
  },
  gemini: {
    tool: (server, tool) => `mcp_${server}_${tool}`,
    async serve(request, response, session) {
      const text = await body_of(request);
      if (!/enerateContent/.test(request.url)) return send_json(response, { totalTokens: 5 });
      const body = JSON.parse(text);
      for (const { parts = [] } of body.contents) {
        const answer = parts.find((p) => p.functionResponse)?.functionResponse;
        if (!answer) continue;
        const said = answer.response ?? {};
        const beside = parts.filter((p) => p.text).map((p) => p.text);
        const media = [...parts, ...(answer.parts ?? [])].filter((p) => p.inlineData);
        const own = said.output ?? said.error ?? said;
        session.see(answer.id, { text: [typeof own === 'string' ? own : JSON.stringify(own), ...beside].join('\n'), images: media.length, is_error: said.error !== undefined, raw: answer });
      }
      const offered = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []);
      const call = offered.length > 3 ? session.call() : null;
      const part = call ? { functionCall: { id: call.id, name: call.name, args: call.args } } : { text: 'done' };
      const said = { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }, modelVersion: 'm' };
      return request.url.includes('stream') ? send_events(response, [`data: ${JSON.stringify(said)}\r\n\r\n`]) : send_json(response, said);
    },
    start(home, port, servers) {
      fs.mkdirSync(path.join(home, '.gemini'));
      const settings = { mcpServers: Object.fromEntries(Object.entries(servers).map(([k, v]) => [k, { ...v, trust: true }])), telemetry: { enabled: false }, privacy: { usageStatisticsEnabled: false }, security: { folderTrust: { enabled: false }, auth: { selectedType: 'gemini-api-key' } } };
      fs.writeFileSync(path.join(home, '.gemini/settings.json'), JSON.stringify(settings));
      const cwd = path.join(home, 'work');
      fs.mkdirSync(cwd);
      return { file: node, args: [program('gemini'), '-p', 'go', '-y', '-m', 'gemini-2.5-flash'], cwd,
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`, GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
    },
  },
};
export const client_names = Object.keys(clients);
export const is_installed = (name) => fs.existsSync(program(name === 'claude-code' ? 'claude' : name));

const kPatience = Number(process.env.PATIENCE ?? 400) * 1000; // a hang, not a slow machine

/// Runs `client` until `next` returns null. Returns what was seen, call by call. `prepare` may change
/// the settings in the home folder before the client starts.
export async function drive(client, servers, names, next, { count = (messages) => Math.ceil(JSON.stringify(messages).length / 4), prepare = () => {} } = {}) {
  const own = clients[client];
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'enfold-client-'));
  const seen = [];
  let made = 0;
  const session = {
    count, counted: [],
    see(id, what) { const i = Number(id.replace(/\D/g, '')) - 1; seen[i] ??= { ...what, counted: session.counted.splice(0) }; },
    call() {
      if (made > 0 && !seen[made - 1]) return null;
      const call = next(made, seen[made - 1]);
      if (!call) return null;
      made++;
      return { id: `toolu_${String(made).padStart(4, '0')}`, name: own.tool(call.server, call.tool), args: call.args };
    },
  };
  const api = http.createServer((request, response) => own.serve(request, response, session).catch((error) => { console.error(error); response.destroy(); }));
  await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { file, args, cwd, env } = own.start(home, api.address().port, servers, names.map((n) => own.tool(n.server, n.tool)));
  prepare(home);
  const child = spawn(file, args, { cwd, env: { PATH: process.env.PATH, HOME: home, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { said += data; });
  const patience = setTimeout(() => child.kill(), kPatience);
  await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(patience);
  api.closeAllConnections();
  api.close();
  fs.rmSync(home, { recursive: true, force: true });
  if (made === 0 || !seen[made - 1]) throw new Error(`${client} ended after ${made} calls:\n${said.slice(-3000)}`);
  return seen;
}
