// SPDX-License-Identifier: Apache-2.0
// How the tokens of a view were counted, in words: the same answer has other numbers for other clients.
// The sign ≈ is for numbers that were not counted at all.
import type { Settings } from '../api/types';

const FACTOR = /^(.*)\*(\d+(?:\.\d+)?)$/;
const LARGER = /^max\((.+),(.+)\)$/;
const plain = (name: string) => name.replace(/_bound\b/, '');

// "o200k_base*1.5" → "o200k_base + 50 % reserve"
export function method(encoding: string): string {
  const factor = FACTOR.exec(encoding);
  const base = factor ? factor[1]! : encoding;
  const both = LARGER.exec(base);
  const more = factor ? ` + ${Math.round(100 * Number(factor[2]) - 100)} %` : '';
  return (both ? `the larger count of ${plain(both[1]!)} and ${plain(both[2]!)}` : plain(base)) + more + (factor ? ' reserve' : '');
}

export const is_exact = (encoding: string): boolean => !/[*(]|_bound/.test(encoding);

export function countedAs({ encoding, client }: Settings): string {
  if (is_exact(encoding)) return `tokens counted with ${encoding}`;
  return `tokens counted for ${client && client !== 'generic' ? client : 'an unknown client'} as ${method(encoding)}, because its tokenizer is not known`;
}
