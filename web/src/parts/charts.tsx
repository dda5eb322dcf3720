// SPDX-License-Identifier: Apache-2.0
// Small pictures of numbers, as SVG: bars, lines over time.
import { count } from './format';

// Tokens that were sent: what the model got of them, what was left out, and what Enfold added. The whole width
// is `most`.
export function FlowBar({ before, after, most }: { before: number; after: number; most: number }) {
  const got = Math.min(before, after);
  const width = (tokens: number) => `${most > 0 ? (100 * tokens) / most : 0}%`;
  return (
    <span class="flow" aria-hidden="true">
      {got > 0 ? <span class="flow-got" style={{ width: width(got) }} /> : null}
      {before > got ? <span class="flow-cut" style={{ width: width(before - got) }} /> : null}
      {after > got ? <span class="flow-added" style={{ width: width(after - got) }} /> : null}
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
