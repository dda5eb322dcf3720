// SPDX-License-Identifier: Apache-2.0
// Texts and what npm tiktoken says they cost, made anew on every run.
//   node vectors.mjs texts SEED COUNT FOLDER LONGEST   generated texts, and the files of FOLDER
//   node vectors.mjs code_points STEP                  each STEP-th code point in six contexts
// Files are cut after LONGEST characters: the peer needs ten seconds for one long line.
// Writes records: u32 length, UTF-8 bytes, u32 tokens in o200k_base, u32 tokens in cl100k_base.
import { readFileSync, readdirSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(new URL('../peers/package.json', import.meta.url))
const { get_encoding } = require('tiktoken')
const encodings = [get_encoding('o200k_base'), get_encoding('cl100k_base')]

let state = 1n
const mask = 0xffffffffffffffffn
function random() { // xorshift64*
  state ^= state >> 12n
  state ^= (state << 25n) & mask
  state ^= state >> 27n
  return Number(((state * 0x2545f4914f6cdd1dn) & mask) >> 11n) / 2 ** 53
}
const below = n => Math.floor(random() * n)
const pick = list => list[below(list.length)]
const times = (n, make) => Array.from({ length: n }, make)

const scripts = [
  [0x20, 0x7e], [0xa0, 0x24f], [0x300, 0x36f], [0x370, 0x52f], [0x590, 0x6ff], [0x900, 0x97f],
  [0xe00, 0xe7f], [0x1100, 0x11ff], [0x2000, 0x206f], [0x2150, 0x218f], [0x3000, 0x30ff],
  [0x4e00, 0x4fff], [0xac00, 0xad00], [0xff00, 0xffef], [0x1f300, 0x1f6ff], [0x1f1e6, 0x1f1ff],
  [0x1d400, 0x1d7ff],
]
// What the split rules treat in a way of its own, and its neighbours.
const delicate = [
  "'s", "'S", "'ll", "'LL", "'Re", "'ve", "'\u017f", "'m", "'d", "'t", "'", '\r\n', '\n', '\r', ' ',
  '  ', '\t', '\u00a0', '\u3000', '\u2028', '\u0085', '\ufeff', '/', '//', '\n/', '};\n//', '0', '12',
  '\u0661\u0662', '\u00bd', 'A', 'aB', 'Ab', 'ABc', '\u01c5', '\u02b0', '\u0301', 'e\u0301', '\u0345',
  'ß', 'İ', 'ı', '\u0300\u0301A', '日本', '語', 'カ', '한국', '👍🏽', '👨‍👩‍👧', '🇯🇵', '"', '":"', '","',
  '{"', '}]', '\\n', '\\u00e9', '-', '_', '<|endoftext|>', '\u200d', '\ufe0f', '\u0000', '\u001f',
]
const ascii = () => String.fromCharCode(32 + below(95))
const anyCharacter = () => {
  const point = below(0x110000 - 0x800)
  return String.fromCodePoint(point < 0xd800 ? point : point + 0x800)
}
const ofAScript = () => {
  const [first, last] = pick(scripts)
  return String.fromCodePoint(first + below(last - first + 1))
}
const smallWord = () => times(1 + below(14), () => String.fromCharCode(97 + below(26))).join('')
const word = () => (random() < 0.3 ? smallWord().replace(/^./, c => c.toUpperCase()) : smallWord())

let corpus = []
const generators = {
  ascii: () => times(below(60), ascii).join(''),
  any: () => times(below(40), anyCharacter).join(''),
  scripts: () => times(below(60), ofAScript).join(''),
  delicate: () =>
    times(1 + below(24), () => (random() < 0.8 ? pick(delicate) : pick([ascii, ofAScript])())).join(''),
  bytes: () => Buffer.from(times(below(80), () => below(256))).toString('utf8'),
  runs: () =>
    times(1 + below(5), () =>
      pick([...delicate, ascii(), ofAScript()]).repeat(1 + below(random() < 0.05 ? 600 : 30)),
    ).join(''),
  words: () => times(1 + below(20), word).join(pick([' ', '_', '-', '', '.', '\n', '  '])),
  json: () =>
    JSON.stringify(
      times(below(6), () => ({
        id: below(1e6), name: generators.words(), value: random(), ok: random() < 0.5, none: null,
        text: generators.delicate(),
      })),
      null,
      pick([0, 0, 2]),
    ),
  slices: () => {
    const text = pick(corpus)
    const begin = below(text.length)
    return text.slice(begin, begin + below(400))
  },
}

let pending = []
let pendingBytes = 0
function flush() {
  let bytes = Buffer.concat(pending)
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes))
  pending = []
  pendingBytes = 0
}
function emit(text) {
  const wellFormed = text.toWellFormed()
  const bytes = Buffer.from(wellFormed)
  const numbers = Buffer.alloc(12)
  numbers.writeUInt32LE(bytes.length)
  encodings.forEach((encoding, i) =>
    numbers.writeUInt32LE(encoding.encode_ordinary(wellFormed).length, 4 + 4 * i))
  pending.push(numbers.subarray(0, 4), bytes, numbers.subarray(4))
  if ((pendingBytes += bytes.length) > 1 << 20) flush()
}

function texts(seed, count, folder, longest) {
  state = BigInt(seed) * 0x9e3779b97f4a7c15n & mask
  corpus = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
  for (const text of corpus) emit(text.slice(0, longest))
  // The rules meet the beginning and the end of a text here, which random texts rarely do alone.
  for (const text of ['', ...delicate, ...delicate.map(each => each + each)]) emit(text)
  const names = Object.keys(generators)
  for (let i = 0; i < count; ++i) emit(generators[names[i % names.length]]())
}

function codePoints(step) {
  let seen = 0
  for (let point = 0; point < 0x110000; ++point) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const x = String.fromCodePoint(point)
    // Planes without characters are sampled; a newer Unicode than the peer's does no harm here.
    if (/\p{Cn}|\p{Co}/u.test(x) && point % 97 !== 0) continue
    if (seen++ % step !== 0) continue
    for (const text of [
      `a${x}b`, `AB${x}Cd`, `12${x}34`, ` ${x}${x} z`, `.${x};${x}'s`, `\n${x} \n${x}`,
    ]) emit(text)
  }
}

const [mode, ...rest] = process.argv.slice(2)
if (mode === 'texts') texts(rest[0], Number(rest[1]), rest[2], Number(rest[3]))
else codePoints(Number(rest[0]))
flush()
