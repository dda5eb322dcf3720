// SPDX-License-Identifier: Apache-2.0
// A treemap of which every label can be read: what would be too small is one tile together.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const REST = '\u0000';

interface Tile extends Box {
  key: string;
  value: number;
}

// Squarified treemap (Bruls, Huizing, van Wijk): rows of tiles as near to squares as the order allows.
function treemap(items: readonly { key: string; value: number }[], width: number, height: number): Tile[] {
  const sorted = items.filter((item) => item.value > 0).sort((a, b) => Number(a.key === REST) - Number(b.key === REST) || b.value - a.value);
  let rest = sorted.reduce((sum, item) => sum + item.value, 0);
  let x = 0;
  let y = 0;
  const tiles: Tile[] = [];
  for (let at = 0; at < sorted.length;) {
    const across = width - x;
    const down = height - y;
    const side = Math.min(across, down);
    const scale = (across * down) / rest;
    let sum = 0;
    let end = at;
    let worst = Infinity;
    while (end < sorted.length) {
      const next = sum + sorted[end]!.value;
      const thickness = (next * scale) / side;
      const ratio = (value: number) => { const length = (value * scale) / thickness; return Math.max(length / thickness, thickness / length); };
      const now = Math.max(ratio(sorted[at]!.value), ratio(sorted[end]!.value));
      if (now > worst) break;
      worst = now;
      sum = next;
      end++;
    }
    const thickness = (sum * scale) / side;
    let offset = 0;
    for (; at < end; at++) {
      const length = (sorted[at]!.value * scale) / thickness;
      tiles.push(across <= down ? { ...sorted[at]!, x: x + offset, y, width: length, height: thickness }
                                : { ...sorted[at]!, x, y: y + offset, width: thickness, height: length });
      offset += length;
    }
    if (across <= down) y += thickness;
    else x += thickness;
    rest -= sum;
  }
  return tiles;
}

interface Item {
  key: string;
  group: string;
  name: string;
  value: number;
}

export interface LegibleMap {
  groups: readonly Tile[];
  tiles: readonly Tile[];
  rest: Box | null;  // the last place; its head has the name of no upstream
  others: readonly string[];  // keys of the items in `rest`
}

const MOST = 24;  // tiles; more are too many to compare
const HEAD = 18;  // pixels for the name of a group
const LINES = 36;  // pixels that the two lines of a tile need
const NARROWEST = 76;  // pixels for the numbers of a tile
const widthOf = (text: string, letter: number) => [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e80 ? 2 : 1), 0) * letter + 14;

function laidOut(items: readonly Item[], shown: number, width: number, height: number): LegibleMap | null {
  const groups = new Map<string, Item[]>();
  for (const item of items.slice(0, shown)) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  const rest = items.slice(shown);
  const sum = (all: readonly Item[]) => all.reduce((total, item) => total + item.value, 0);
  const outer = treemap([...[...groups].map(([key, all]) => ({ key, value: sum(all) })), ...(rest.length ? [{ key: REST, value: sum(rest) }] : [])], width, height);
  const map = { groups: [] as Tile[], tiles: [] as Tile[], rest: null as Box | null, others: rest.map((item) => item.key) };
  for (const group of outer) {
    const inside = { x: group.x, y: group.y + HEAD, width: group.width - 3, height: group.height - HEAD - 3 };
    if (inside.height < LINES || inside.width < NARROWEST) return null;
    if (group.key === REST) {
      map.rest = inside;
      continue;
    }
    if (widthOf(group.key, 6.6) > inside.width) return null;
    map.groups.push(group);
    for (const tile of treemap(groups.get(group.key)!, inside.width, inside.height)) {
      const { name } = groups.get(group.key)!.find(({ key }) => key === tile.key)!;
      if (tile.height < LINES || tile.width < Math.max(NARROWEST, widthOf(name, 7.1))) return null;
      map.tiles.push({ ...tile, x: tile.x + inside.x, y: tile.y + inside.y });
    }
  }
  return map;
}

// As many of the largest items as have room for their labels, and one box for the others.
export function legibleMap(items: readonly Item[], width: number, height: number): LegibleMap {
  const sorted = items.filter((item) => item.value > 0).sort((a, b) => b.value - a.value);
  for (let shown = Math.min(sorted.length, MOST); shown > 0; shown--) {
    const map = laidOut(sorted, shown, width, height);
    if (map) return map;
  }
  // One item has nearly all: the others get the least box that can be read.
  const [first, ...rest] = sorted;
  if (!first) return { groups: [], tiles: [], rest: null, others: [] };
  const side = rest.length ? NARROWEST + 24 : 0;
  const box = { key: first.key, value: first.value, x: 0, y: HEAD, width: width - side - 3, height: height - HEAD - 3 };
  return { groups: [{ ...box, key: first.group, y: 0 }], tiles: [box], rest: rest.length ? { ...box, x: width - side, width: side - 3 } : null, others: rest.map((item) => item.key) };
}
