// SPDX-License-Identifier: Apache-2.0
// Looks for the largest answer of each kind that a client shows its model whole, without Enfold.
//   limits.mjs [--clients a,b] [--kinds a,b] [--most N] [--chars-per-token N]
// Prints one JSON line for each client and kind.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { client_names, drive } from './clients.mjs';
import { is_whole, kinds } from './kinds.mjs';

const { values } = parseArgs({ options: {
  clients: { type: 'string', default: client_names.join(',') }, kinds: { type: 'string', default: Object.keys(kinds).join(',') },
  most: { type: 'string', default: '400000' }, 'chars-per-token': { type: 'string', default: '4' } } });
const per_token = Number(values['chars-per-token']);
const servers = { probe: { command: process.execPath, args: [path.join(import.meta.dirname, 'probe_server.mjs')] } };
const names = [{ server: 'probe', tool: 'probe' }];
const count = (messages) => Math.ceil(JSON.stringify(messages).length / per_token);

const call_of = (kind, size) => ({ server: 'probe', tool: 'probe', args: { kind, size } });

// Bisects within one session.
async function search(client, kind) {
  const most = kinds[kind].unit === 'lines' ? Math.min(100000, Number(values.most)) : Number(values.most);
  let [whole, cut, size] = [0, Infinity, 0];
  const asked = [];
  await drive(client, servers, names, (i, seen) => {
    if (i > 0) {
      if (seen.counted.length > 0) asked.push(size);
      if (is_whole(kind, size, seen)) whole = Math.max(whole, size); else cut = Math.min(cut, size);
    }
    if (i === 0) size = most;
    else if (whole >= most || cut - whole <= 1 || (i > 1 && whole === 0)) return null;
    else size = i === 1 ? 200 : Math.floor((whole + cut) / 2);
    return call_of(kind, size);
  }, { count });
  return { client, kind, unit: kinds[kind].unit, limit: whole, at_least: whole >= most, counted_from: asked.length ? Math.min(...asked) : null };
}

// Asks for the limits found, one more, and twice as much in a session of their own, since a client
// may treat a long conversation differently. Adds what is shown above the limit.
async function confirm(client, found) {
  const calls = found.flatMap(({ kind, limit, at_least }) => [limit, ...(at_least ? [] : [limit + 1, 2 * limit + 200])].filter((n) => n > 0).map((size) => ({ kind, size })));
  const seen = await drive(client, servers, names, (i) => (i < calls.length ? call_of(calls[i].kind, calls[i].size) : null), { count });
  for (const one of found) {
    const own = calls.flatMap(({ kind, size }, i) => (kind === one.kind ? [{ size, ...seen[i], whole: is_whole(kind, size, seen[i]) }] : []));
    one.confirmed = own.every(({ size, whole }) => whole === (size <= one.limit));
    const { text, images, is_error } = own.at(-1);
    one.beyond = own.slice(one.limit ? 1 : 0).map(({ text }) => text.length);
    one.last = { length: text.length, images, is_error, head: text.slice(0, 700), tail: text.slice(-300), mark: /\.{3}[^\n]{0,60}(truncat|omitted|characters)[^\n]{0,60}/i.exec(text)?.[0] };
  }
}

for (const client of values.clients.split(',')) {
  const found = [];
  for (const kind of values.kinds.split(',')) {
    const one = await search(client, kind);
    console.error(JSON.stringify(one));
    found.push(one);
  }
  await confirm(client, found);
  for (const one of found) console.log(JSON.stringify(one));
}
