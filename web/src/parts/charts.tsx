// SPDX-License-Identifier: Apache-2.0
// Small pictures of numbers, as SVG: bars, lines over time.
import { count } from './format';

// Tokens before as a pale bar, the share that is left filled. The length is logarithmic, so that small
// and large answers are both seen; the share is linear, so that half a bar is half of the tokens.
export function TokenBar({ before, after, most, cut }: { before: number; after: number; most: number; cut: boolean }) {
  const length = before <= 0 ? 0 : (100 * Math.log1p(before / 20)) / Math.log1p(Math.max(most, before, 200) / 20);
  const left = before <= 0 ? 0 : Math.max(Math.min(after / before, 1), 0.01);
  return (
    <span class="token-bar" aria-hidden="true" style={{ width: `${length}%` }}>
      <span class={cut ? 'bar-cut' : 'bar-after'} style={{ width: `${100 * left}%` }} />
    </span>
  );
}

export function Bar({ value, most, kind = 'plain' }: { value: number; most: number; kind?: string }) {
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-ground" width="100" height="8" rx="1" />
      <rect class={`bar-${kind}`} width={most > 0 ? Math.max((100 * value) / most, value > 0 ? 1 : 0) : 0} height="8" rx="1" />
    </svg>
  );
}

const FEWEST = 3;  // minutes; fewer are no curve

export function Sparkline({ values, label, empty }: { values: readonly number[]; label: string; empty: string }) {
  if (values.length < FEWEST) return <span class="quiet">{values.length ? `${values.length} min so far` : empty}</span>;
  const highest = Math.max(...values, 0);
  const most = Math.max(highest, 1);
  // At least 30 places, the newest at the right, so that a short history is not one block.
  const places = Math.max(values.length, 30);
  const step = 100 / places;
  const first = places - values.length;
  return (
    <svg class="sparkline" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={`${label}: highest ${count(highest)}`}>
      <rect class="sparkline-base" y="19.500" width="100" height="0.5" />
      {values.map((value, index) => {
        const height = value > 0 ? Math.max((18 * value) / most, 1.5) : 0;
        return <rect key={index} x={(first + index) * step} y={20 - height} width={Math.max(step - 0.6, 0.8)} height={height} />;
      })}
    </svg>
  );
}

export interface Tile {
  key: string;
  value: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

// Squarified treemap (Bruls, Huizing, van Wijk): rows of tiles as near to squares as the order allows.
export function treemap(items: readonly { key: string; value: number }[], width: number, height: number): Tile[] {
  const sorted = items.filter((item) => item.value > 0).sort((a, b) => b.value - a.value);
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
