// SPDX-License-Identifier: Apache-2.0
// Small pictures of numbers, as SVG: bars, lines over time.
import { count, percent } from './format';

const TRACK = 80;  // percent of the width, which stand for the tokens that were sent
const MOST_GROWTH = 0.25;  // of them, that has room behind the track

// How much of what was sent the model got. The track is what was sent, as long in every row; what came
// on top is hatched behind it, and the number has it all.
export function KeptBar({ before, after, kind }: { before: number; after: number; kind: string }) {
  if (before <= 0) return null;
  const kept = Math.max(Math.min(after / before, 1), 0.01);
  const grown = Math.min(Math.max(after / before - 1, 0), MOST_GROWTH);
  return (
    <span class="kept">
      <span class="kept-bar" aria-hidden="true">
        <span class={`b-${kind}`} style={{ width: `${TRACK * kept}%` }} />
        {grown > 0 ? <span class="kept-more" style={{ width: `${Math.max(TRACK * grown, 3)}%` }} /> : null}
      </span>
      <span class="kept-share number">{before === after ? '' : after > before ? `+${percent(after - before, before)}` : percent(after, before)}</span>
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
