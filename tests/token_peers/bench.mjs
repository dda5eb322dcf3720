// SPDX-License-Identifier: Apache-2.0
// How long npm tiktoken and gpt-tokenizer take to count one file; bench/token_bench.cc reads this.
//   node bench.mjs ENCODING FILE ROUNDS
// Writes one line for each: name, CPU seconds of the quickest round, tokens.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [encoding, file, rounds] = process.argv.slice(2)
const require = createRequire(new URL('../peers/package.json', import.meta.url))
const text = readFileSync(file, 'utf8')
const wasm = require('tiktoken').get_encoding(encoding)
const script = require(`gpt-tokenizer/encoding/${encoding}`)
const anyText = { disallowedSpecial: new Set() }
const contestants = {
  tiktoken: () => wasm.encode_ordinary(text).length,
  'gpt-tokenizer': () => script.countTokens(text, anyText),
}

function seconds() {
  const usage = process.cpuUsage()
  return (usage.user + usage.system) / 1e6
}

for (const [name, count] of Object.entries(contestants)) {
  let best = Infinity
  let tokens = 0
  for (let i = 0; i < Number(rounds); ++i) {
    const begin = seconds()
    tokens = count()
    best = Math.min(best, seconds() - begin)
  }
  console.log(`${name} ${best} ${tokens}`)
}
