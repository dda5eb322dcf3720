// SPDX-License-Identifier: Apache-2.0
// The items of a list by what happened to them, so that their numbers visibly add up.
import type { Part } from '../api/types';
import { count, plural } from './format';
import type { Words } from './marks';

export type ItemCounts = Map<string, number>;  // by Part.what

// The list that a part belongs to and which of its items it covers; null: it is no part of a list.
function itemsOf(part: Part): { list: string; first: number; last: number } | null {
  const found = /^(.*)\/(\d+)(?:\.\.(\d+))?$/.exec(part.pointer);
  if (part.side !== 'before' || part.what === 'redacted' || part.what === 'facts' || !found) return null;
  return { list: found[1]!, first: Number(found[2]), last: Number(found[3] ?? found[2]) };
}

// Of the items `first` to `last` of a list, how many each kind of part covers.
export function overlapping(parts: readonly Part[], list: string, first: number, last: number): ItemCounts {
  const counts: ItemCounts = new Map();
  for (const part of parts) {
    const items = itemsOf(part);
    if (!items || items.list !== list) continue;
    const shared = Math.min(last, items.last) - Math.max(first, items.first) + 1;
    if (shared > 0) counts.set(part.what, (counts.get(part.what) ?? 0) + shared);
  }
  return counts;
}

// "3 as id and label, 116 in the archive only"
export const describeItems = (counts: ItemCounts, words: Words): string =>
  [...counts].map(([what, number]) => `${count(number)} ${words(what)}`).join(', ');

export interface ListSum {
  list: string;
  items: number;
  counts: ItemCounts;
}

// The lists of which not all items are whole, the longest first.
export function listSums(parts: readonly Part[]): ListSum[] {
  const lists = new Set(parts.map((part) => itemsOf(part)?.list).filter((list) => list !== undefined));
  return [...lists].map((list) => {
    const counts = overlapping(parts, list, 0, Infinity);
    return { list, counts, items: [...counts.values()].reduce((sum, number) => sum + number, 0) };
  }).filter(({ counts }) => [...counts.keys()].some((what) => what !== 'whole')).sort((a, b) => b.items - a.items);
}

// "120 items of /issues"
export const describeList = ({ list, items }: ListSum): string => `${plural(items, 'item')}${list ? ` of ${list}` : ''}`;
