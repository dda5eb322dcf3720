// SPDX-License-Identifier: Apache-2.0
// The items of a list by what happened to them, so that their numbers visibly add up.
import type { Part, View } from '../api/types';
import { count, plural } from './format';
import type { Words } from './marks';
import { segments } from './part_tree';

export type ItemCounts = Map<string, number>;  // by Part.what

interface Covered {
  what: string;
  first: number;
  last: number;
}

interface Covers {
  all: Covered[];  // by place
  has_range: boolean;  // a list for sure; else its numbers may be keys of members
}

const PLACE = /^(.*)\/(\d+)(?:\.\.(\d+))?$/;
const known = new WeakMap<readonly Part[], Map<string, Covers>>();

// Pointers are read once for all parts, however many lists they are in.
function coversOf(parts: readonly Part[]): Map<string, Covers> {
  const old = known.get(parts);
  if (old) return old;
  const by = new Map<string, Covers>();
  for (const part of parts) {
    if (part.side !== 'before' || part.what === 'redacted' || part.what === 'facts') continue;
    const found = PLACE.exec(part.pointer);
    if (!found) continue;
    const [, list, first, last] = found;
    const covers = by.get(list!) ?? { all: [], has_range: false };
    by.set(list!, covers);
    covers.all.push({ what: part.what, first: Number(first), last: Number(last ?? first) });
    covers.has_range ||= last !== undefined;
  }
  for (const { all } of by.values()) all.sort((a, b) => a.first - b.first);
  known.set(parts, by);
  return by;
}

// Of the items `first` to `last` of a list, how many each kind of part covers.
export function overlapping(parts: readonly Part[], list: string, first: number, last: number): ItemCounts {
  const counts: ItemCounts = new Map();
  const all = coversOf(parts).get(list)?.all ?? [];
  let at = 0;
  for (let end = all.length; at < end;) {
    const middle = (at + end) >> 1;
    if (all[middle]!.last < first) at = middle + 1;
    else end = middle;
  }
  for (; at < all.length && all[at]!.first <= last; at++) {
    const { what, first: from, last: to } = all[at]!;
    counts.set(what, (counts.get(what) ?? 0) + Math.min(last, to) - Math.max(first, from) + 1);
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

function valueAt(root: unknown, pointer: string): unknown {
  return segments(pointer).reduce((at: unknown, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined), root);
}

// A number in a pointer is the place of an item, or the key of a member: /users/1001. The data says which.
function listsIn({ before }: View): (pointer: string) => boolean {
  let root: unknown;
  return (pointer) => {
    if (root === undefined) {
      try {
        root = before.is_json ? JSON.parse(before.text) : null;
      } catch {
        root = null;
      }
    }
    return Array.isArray(valueAt(root, pointer));
  };
}

// The lists of which not all items are whole, the longest first.
export function listSums(view: View): ListSum[] {
  const is_list = listsIn(view);
  const sums: ListSum[] = [];
  for (const [list, { all, has_range }] of coversOf(view.parts)) {
    if (all.every(({ what }) => what === 'whole') || !(has_range || is_list(list))) continue;
    const counts = overlapping(view.parts, list, 0, Infinity);
    sums.push({ list, counts, items: [...counts.values()].reduce((sum, number) => sum + number, 0) });
  }
  return sums.sort((a, b) => b.items - a.items);
}

// "120 items of /issues"
export const describeList = ({ list, items }: ListSum): string => `${plural(items, 'item')}${list ? ` of ${list}` : ''}`;
