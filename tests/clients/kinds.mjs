// SPDX-License-Identifier: Apache-2.0
// The kinds of tool result whose limit is looked for. Each is made so that a missing piece shows:
// what is expected is the whole text, or the whole structured content in any spacing.

const words = 'the river runs past a mill where people grind their corn and talk about rain'.split(' ');

// Text of exactly `size` of its unit, from numbered pieces, with an end of its own.
function filled(size, piece, end) {
  let out = '';
  for (let i = 0; out.length < size; i++) out += piece(i);
  return out.slice(0, size - end.length) + end;
}

const prose = (size) =>
  filled(size, (i) => `${i} ${words[i % words.length]} ${words[(i * 7 + 3) % words.length]} ${words[(i * 5 + 1) % words.length]}. `, ' END.');

// A list of records whose compact JSON has exactly `size` characters.
function records(size) {
  const items = [];
  let length = '{"items":[],"end":""}'.length;
  for (let i = 0; ; i++) {
    const item = { id: `r${i}`, name: words[i % words.length], count: (i * 37) % 1000, open: i % 3 === 0 };
    const more = JSON.stringify(item).length + (i > 0 ? 1 : 0);
    if (length + more > size) break;
    items.push(item);
    length += more;
  }
  return { items, end: 'x'.repeat(Math.max(0, size - length)) };
}

// Two bytes in UTF-8 for one character, three for one, four for two UTF-16 units.
const russian = (size) => filled(size, (i) => `${i}слово `, 'КОНЕЦ');
const chinese = (size) => filled(size, (i) => `${i}河流经过磨坊`, '结束');
const emoji = (size) => { const odd = size % 2; return '🙂'.repeat((size - odd) / 2) + 'x'.repeat(odd); };
const lines = (size) => Array.from({ length: size }, (_, i) => `${i}`).join('\n');

const block = (text) => ({ type: 'text', text });
const one = (text) => ({ content: [block(text)] });
const json = (size) => JSON.stringify(records(size));

// kind: [result of a size, expected of a size, unit of the size, how it is described]
const several = (size, n) => {
  const all = prose(size);
  return Array.from({ length: n }, (_, i) => all.slice(Math.floor((size * i) / n), Math.floor((size * (i + 1)) / n)));
};
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const kinds = {
  prose: { about: 'one text block, ASCII prose', unit: 'characters', make: (n) => one(prose(n)), expect: (n) => [prose(n)] },
  json: { about: 'one text block, minified JSON', unit: 'characters', make: (n) => one(json(n)), expect: (n) => [json(n)] },
  russian: { about: 'one text block, Russian', unit: 'UTF-16 units', make: (n) => one(russian(n)), expect: (n) => [russian(n)] },
  chinese: { about: 'one text block, Chinese', unit: 'UTF-16 units', make: (n) => one(chinese(n)), expect: (n) => [chinese(n)] },
  emoji: { about: 'one text block, emoji', unit: 'UTF-16 units', make: (n) => one(emoji(n)), expect: (n) => [emoji(n)] },
  lines: { about: 'one text block, short lines', unit: 'lines', make: (n) => one(lines(n)), expect: (n) => [lines(n)] },
  both: { about: 'structured content, its JSON as text', unit: 'characters', make: (n) => ({ ...one(json(n)), structuredContent: records(n) }), expect: (n) => [json(n)] },
  beside: { about: 'structured content, another text', unit: 'characters', make: (n) => ({ ...one('the text'), structuredContent: records(n) }), expect: (n) => [json(n)] },
  besidetext: { about: 'text, a small structured content', unit: 'characters', make: (n) => ({ ...one(prose(n)), structuredContent: { small: true } }), expect: (n) => [prose(n)] },
  structured: { about: 'structured content only', unit: 'characters', make: (n) => ({ content: [], structuredContent: records(n) }), expect: (n) => [json(n)] },
  error: { about: 'isError, one text block', unit: 'characters', make: (n) => ({ ...one(prose(n)), isError: true }), expect: (n) => [prose(n)] },
  errorlines: { about: 'isError, short lines', unit: 'lines', make: (n) => ({ ...one(lines(n)), isError: true }), expect: (n) => [lines(n)] },
  errorboth: { about: 'isError, its JSON as text and structured', unit: 'characters', make: (n) => ({ ...one(json(n)), structuredContent: records(n), isError: true }), expect: (n) => [json(n)] },
  blocks: { about: 'five text blocks', unit: 'characters', make: (n) => ({ content: several(n, 5).map(block) }), expect: (n) => several(n, 5) },
  image: { about: 'a text block and an image', unit: 'characters', make: (n) => ({ content: [block(prose(n)), { type: 'image', data: png, mimeType: 'image/png' }] }), expect: (n) => [prose(n)], images: 1 },
  bigimage: { about: 'an image', unit: 'bytes of Base64', make: (n) => ({ content: [{ type: 'image', data: bigger_png(n), mimeType: 'image/png' }] }), expect: () => [], images: 1 },
};

// The PNG with a text chunk in front of its end, so that it has about `size` Base64 characters.
function bigger_png(size) {
  const base = Buffer.from(png, 'base64');
  const extra = Math.max(0, Math.floor((size * 3) / 4) - base.length - 12);
  const chunk = Buffer.alloc(extra + 12, 'x');
  chunk.writeUInt32BE(extra, 0);
  chunk.write('tEXt', 4);
  return Buffer.concat([base.subarray(0, -12), chunk, base.subarray(-12)]).toString('base64');
}

export const result_of = (kind, size) => kinds[kind].make(size);

const squeezed = (text) => text.replace(/\s+/g, '');
const unescaped = (text) => text.replaceAll('\\n', '\n').replaceAll('\\"', '"');

/// Whether the model got all of it: each part as it is, escaped as in JSON, or with other spaces.
export function is_whole(kind, size, seen) {
  const { expect, images = 0 } = kinds[kind];
  const plain = unescaped(seen.text);
  const packed = squeezed(plain);
  return seen.images >= images && expect(size).every((part) => seen.text.includes(part) || plain.includes(part) || packed.includes(squeezed(part)));
}
