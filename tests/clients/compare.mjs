// SPDX-License-Identifier: Apache-2.0
// Recorded answers through each client, without and with `enfold wrap`: what was whole must stay
// whole. Prints a Markdown table of tokens, as o200k_base counts them in what the model was shown.
//   compare.mjs ENFOLD [--clients a,b] [--json]
// Exit code 2: something that was whole is not any more.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createRequire } from 'node:module';
import { client_names, drive } from './clients.mjs';

const require = createRequire(path.resolve(import.meta.dirname, '../peers/package.json'));
const { encode } = require('gpt-tokenizer/encoding/o200k_base');
const tokens_of = (text) => encode(text, { allowedSpecial: 'all' }).length;

const { values, positionals } = parseArgs({ allowPositionals: true, options: {
  clients: { type: 'string', default: client_names.join(',') }, json: { type: 'boolean', default: false } } });
const enfold = path.resolve(positionals[0] ?? 'build/release/bin/enfold');

const samples = path.resolve(import.meta.dirname, '../golden/samples');
const chosen = [
  'everything__echo__plain', 'everything__get-structured-content__ok', 'everything__get-tiny-image__image', 'everything__get-resource-links__five',
  'commands__run_command__exit-3', 'filesystem__read_text_file__not-found', 'filesystem__read_multiple_files__mixed', 'filesystem__directory_tree__tree-254',
  'memory__create_entities__bulk-200', 'memory__read_graph__large', 'commands__run_command__long-output', 'everything__echo__long-40k',
  'filesystem__read_file__csv-80k', 'filesystem__read_text_file__log-150k',
];
const files = chosen.map((name) => path.join(samples, `${name}.json`));
const calls = files.map((file) => JSON.parse(fs.readFileSync(file, 'utf8')));

// Every text and every container of the JSON values in `text`, each container in one spelling.
function pieces_of(text) {
  const texts = [text];
  const containers = new Set();
  const add = (value) => {
    if (typeof value === 'string') { texts.push(value); return; }
    if (value === null || typeof value !== 'object') return;
    containers.add(JSON.stringify(value));
    for (const inner of Object.values(value)) add(inner);
  };
  const bare = text.replace(/^<untrusted_context>\n|\n<\/untrusted_context>$/g, '');
  for (const candidate of [bare, ...bare.split('\n')]) {
    const value = parsed(candidate);
    if (value !== undefined) { add(value); if (candidate === bare) break; }
  }
  return { texts, containers };
}
function parsed(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try { return JSON.parse(text); } catch { return undefined; }
}

// Whether the model can read everything: each text block, as it is or as the JSON it holds, or the
// structured content; and each image.
function is_whole({ content, structuredContent }, seen) {
  const { texts, containers } = pieces_of(seen.text);
  const has_json = (value) => containers.has(JSON.stringify(value));
  const has_text = (text) => texts.some((one) => one.includes(text)) || (parsed(text) !== undefined && has_json(parsed(text)));
  const has_texts = content.filter((b) => b.type === 'text').every((b) => has_text(b.text.trim()));
  const has_images = seen.images >= content.filter((b) => b.type === 'image').length;
  const inner = structuredContent && (has_json(structuredContent) || Object.values(structuredContent).every((v) => typeof v === 'string' ? has_text(v.trim()) : typeof v !== 'object' || has_json(v)));
  return has_images && (has_texts || !!inner);
}

// What each client shows whole, of docs/measurements/clients.md. JSON with its escapes may be longer
// than that where the text is not; then the answer may be cut.
const limits = { 'claude-code': 49_900, opencode: 51_100, gemini: 39_850 };
function is_longer_as_json({ content, structuredContent }, client) {
  const envelope = 100;
  const said = structuredContent ?? content.filter((b) => b.type === 'text').map((b) => b.text);
  return JSON.stringify(said).length + envelope > limits[client];
}

const servers = (wrapped) => {
  const server = [process.execPath, path.join(import.meta.dirname, 'probe_server.mjs'), ...files];
  if (wrapped) server.unshift(enfold, 'wrap', '--archive', 'memory', '--');
  return { probe: { command: server[0], args: server.slice(1) } };
};

async function shown(client, wrapped) {
  const names = calls.map((_, i) => ({ server: 'probe', tool: `answer_${i + 1}` }));
  const seen = await drive(client, servers(wrapped), names, (i) => (i < calls.length ? { ...names[i], args: calls[i].request.params.arguments ?? {} } : null));
  return seen.map((one, i) => ({ answer: chosen[i], client, wrapped, whole: is_whole(calls[i].result, one), may_be_cut: is_longer_as_json(calls[i].result, client), tokens: tokens_of(one.text), characters: one.text.length, images: one.images, text: one.text }));
}

const rows = [];
for (const client of values.clients.split(',')) {
  for (const wrapped of [false, true]) rows.push(...await shown(client, wrapped));
}
if (values.json) {
  for (const row of rows) console.log(JSON.stringify(row));
} else {
  const used = values.clients.split(',');
  console.log(`| answer | ${used.map((c) => `${c} without | with`).join(' | ')} |\n|---|${'---:|---:|'.repeat(used.length)}`);
  for (const answer of chosen) {
    const cell = (client, wrapped) => { const r = rows.find((x) => x.answer === answer && x.client === client && x.wrapped === wrapped); return `${r.tokens.toLocaleString('en')}${r.whole ? '' : ' cut'}`; };
    console.log(`| \`${answer.replaceAll('__', ' ')}\` | ${used.map((c) => `${cell(c, false)} | ${cell(c, true)}`).join(' | ')} |`);
  }
}
const worse = rows.filter((r) => r.wrapped && !r.whole && !r.may_be_cut && rows.some((o) => !o.wrapped && o.whole && o.client === r.client && o.answer === r.answer));
for (const { client, answer } of worse) console.error(`worse: ${client} ${answer}`);
process.exitCode = worse.length ? 2 : 0;
