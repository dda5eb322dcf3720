// SPDX-License-Identifier: Apache-2.0
// JSON whose numbers JavaScript cannot hold, such as integers above 2^53: they keep their text.

export class ExactNumber {
  constructor(readonly text: string) {}
}

// Members of this name mark numbers between the two steps of reading and writing. It is random, so that
// no data have it.
const MARK = `number ${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const is_lossless = (number: string) => String(Number(number)) === number;

export function parseExact(text: string): unknown {
  const marked = text.replace(TOKENS, (token) => (token.startsWith('"') || is_lossless(token) ? token : `{"${MARK}":"${token}"}`));
  return JSON.parse(marked, (_, value: unknown) => {
    const number = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[MARK] : undefined;
    return typeof number === 'string' ? new ExactNumber(number) : value;
  });
}

const MARKED = new RegExp(`"${MARK}:([^"]*)"`, 'g');

export function stringifyExact(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_, each: unknown) => (each instanceof ExactNumber ? `${MARK}:${each.text}` : each), indent);
  return text.replace(MARKED, '$1');
}
