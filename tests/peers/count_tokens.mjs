// SPDX-License-Identifier: Apache-2.0
// Counts tokens with npm tiktoken: reads JSON Lines of strings from standard input, writes one number a line.
// usage: node count_tokens.mjs [o200k_base|cl100k_base]
import { createInterface } from 'node:readline';
import { get_encoding } from 'tiktoken';

const encoding = get_encoding(process.argv[2] ?? 'o200k_base');
const counts = [];
for await (const line of createInterface({ input: process.stdin })) {
  counts.push(encoding.encode(JSON.parse(line), [], []).length);
}
process.stdout.write(counts.join('\n') + '\n');
encoding.free();
