// SPDX-License-Identifier: Apache-2.0
// A server from npm, alone and through the gateway, played by the clients of the TypeScript SDKs.
//   through.mjs --enfold P --server NAME --calls F
// Alone, SDK v1 over stdio says what the answers are. Through `enfold wrap` and `enfold serve` every
// client plays the same script: envelopes come that carry these answers, and every one fits the
// schema that was announced. With contract none the answers come as they are.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ways } from './clients.mjs';
import { Play } from './script.mjs';
import { inFolder, whileListening } from './started.mjs';

const { values: options } = parseArgs({
  options: { enfold: { type: 'string' }, server: { type: 'string' }, calls: { type: 'string' } },
});
const enfold = path.resolve(options.enfold);
const script = JSON.parse(readFileSync(options.calls, 'utf8'));
const peers = createRequire(new URL('../peers/package.json', import.meta.url));
const entry = path.join(path.dirname(peers.resolve(`@modelcontextprotocol/server-${options.server}/package.json`)), 'dist/index.js');

// Its state is in the folder, and so is all that it may touch.
const commandIn = (folder) => [process.execPath, entry, ...(options.server === 'filesystem' ? [folder] : [])];
const environmentIn = (folder) => ({
  PATH: process.env.PATH, HOME: folder, LOGNAME: 'ada', USER: 'ada', SHELL: '/bin/sh', TERM: 'dumb',
  MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl'),
});

async function playAt(place, folder, way, contract, expects) {
  const { client, transport } = await way.connect({ ...place, root: pathToFileURL(folder).href });
  try {
    const { tools } = await client.listTools();
    const play = new Play({ script, tools, contract, expects, era: way.era, sdk: way.sdk, saved: { folder } });
    await play.run(client);
    play.folder = folder;
    return play;
  } finally {
    if (place.url && way.era === 'sessions') await transport.terminateSession();
    await client.close();
  }
}

const alone = () => inFolder((folder) => {
  const [command, ...args] = commandIn(folder);
  return playAt({ command, args, cwd: folder, env: environmentIn(folder) }, folder, ways[0], 'none', true);
});

const through = (verb, way, contract) => inFolder((folder) => {
  const words = ['--archive', 'memory', '--contract', contract, '--', ...commandIn(folder)];
  const env = environmentIn(folder);
  if (verb === 'wrap') {
    const place = { command: enfold, args: ['wrap', ...words], cwd: folder, env };
    return playAt(place, folder, way, contract, contract === 'none');
  }
  return whileListening(enfold, ['serve', '--listen', '127.0.0.1:0', ...words], folder,
    (place) => playAt(place, folder, way, contract, contract === 'none'), env);
});

// What differs from play to play by its nature: the folder, and what the call says about itself;
// `vary` are regular expressions for parts of strings, `varying` names of members.
function comparable(value, play, call) {
  if (Array.isArray(value)) return value.map((item) => comparable(item, play, call));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) =>
      [key, call.varying?.includes(key) ? '(varies)' : comparable(item, play, call)]));
  }
  if (typeof value !== 'string') return value;
  return (call.vary ?? []).reduce((text, regex) => text.replaceAll(new RegExp(regex, 'gu'), '(varies)'),
    value.replaceAll(play.folder, '/folder'));
}

const hashed = (base64) => {
  const bytes = Buffer.from(base64, 'base64');
  return { size: bytes.length, hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
};

// Bytes that no model reads stand in a payload as their size and hash.
function described(block) {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, ...rest } = block;
    return { ...rest, ...hashed(data) };
  }
  if (block.type !== 'resource' || block.resource.blob === undefined) return block;
  const { blob, ...rest } = block.resource;
  return { ...block, resource: { ...rest, ...hashed(blob) } };
}

// What an envelope has to carry of an answer.
function payloadOf(result) {
  if (result.structuredContent !== undefined) return result.structuredContent;
  if (result.content.length !== 1 || result.content[0].type !== 'text') {
    return { content: result.content.map(described) };
  }
  const { type: _type, text, ...more } = result.content[0];
  if (Object.keys(more).length > 0) return { content: result.content };
  try {
    const said = JSON.parse(text);
    if (said !== null && typeof said === 'object' && !Array.isArray(said)) return said;
  } catch { /* prose */ }
  return { text };
}

const isText = (block) => block.type === 'text';

function compareEnvelope(play, call, found, wanted, reference) {
  const { data, error } = found.structuredContent;
  const expected = (what, oneOf, otherOf) => {
    const one = comparable(oneOf, play, call);
    const other = comparable(otherOf, reference, call);
    if (!isDeepStrictEqual(one, other)) {
      play.complain(call.name, `${what}: expected ${JSON.stringify(other)}, found ${JSON.stringify(one)}`);
    }
  };
  if (wanted.isError) {
    expected('error', error, wanted.content.filter(isText).map((block) => block.text).join('\n'));
  } else {
    expected('data', data, payloadOf(wanted));
  }
  expected('blocks', found.content.filter((block) => !isText(block)), wanted.content.filter((block) => !isText(block)));
}

function comparePlain(play, call, found, wanted, reference) {
  const { resultType: _type, _meta: meta = {}, ...rest } = found;
  const { 'io.modelcontextprotocol/serverInfo': _server, ...kept } = meta;  // the stateless protocol adds it
  const one = comparable({ ...rest, ...(Object.keys(kept).length > 0 && { _meta: kept }) }, play, call);
  const other = comparable(wanted, reference, call);
  if (!isDeepStrictEqual(one, other)) {
    play.complain(call.name, `expected ${JSON.stringify(other)}, found ${JSON.stringify(one)}`);
  }
}

function compare(play, reference) {
  for (const call of script) {
    const found = play.results.get(call.name);
    const wanted = reference.results.get(call.name);
    if (!found || !wanted) continue;
    const compareAnswers = play.contract === 'none' ? comparePlain : compareEnvelope;
    compareAnswers(play, call, found, wanted, reference);
  }
  const missing = [...reference.tools.keys()].filter((name) => !play.tools.has(name));
  if (missing.length > 0 && play.era === 'sessions') play.complain('tools', `expected also ${missing.join(', ')}`);
}

async function report(title, playing, reference) {
  let problems;
  let summary = 'gave up';
  let play;
  try {
    play = await playing();
    if (reference) {
      compare(play, reference);
      play.validateContracts(enfold);
    }
    problems = play.problems;
    summary = `${play.tools.size} tools, ${play.calls().length} calls, ${play.answers.length} envelopes`;
  } catch (error) {
    problems = [error.stack];
  }
  console.log(`${title}: ${summary}`);
  for (const problem of problems) console.log(`  ${problem}`);
  return { play, good: problems.length === 0 };
}

const { play: reference, good } = await report(`${options.server} alone, ${ways[0].name}`, alone);
let allGood = good;
if (reference) {
  for (const verb of ['wrap', 'serve']) {
    for (const contract of ['none', 'response-v2']) {
      const clients = contract === 'none' ? [ways[0], ways.at(-1)] : ways;
      const one = await Promise.all(clients.map((way) =>
        report(`${options.server} through ${verb}, ${contract}, ${way.name}`, () => through(verb, way, contract), reference)));
      allGood = allGood && one.every(({ good: fine }) => fine);
    }
  }
}
process.exit(allGood ? 0 : 1);
