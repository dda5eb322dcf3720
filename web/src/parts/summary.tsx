// SPDX-License-Identifier: Apache-2.0
// One answer in one line of figures: tool, what happened, tokens before and after.
import type { Row, View, What } from '../api/types';
import { countedAs } from './counting';
import { count, line, moment, percent } from './format';

export function Tags({ what }: { what: readonly What[] }) {
  return <>{what.map((each) => <span key={each} class={`tag w-${each}`}>{each}</span>)}</>;
}

export function Outcome({ row }: { row: Row }) {
  const parts = [row.http === null ? null : `HTTP ${row.http}`, `JSON-RPC ${row.rpc}`, `tool ${row.outcome.replace('_', ' ')}${row.kind ? ` (${row.kind})` : ''}`];
  return <span class={row.outcome === 'failed' || row.rpc === 'error' ? 'w-failed-text' : ''}>{parts.filter(Boolean).join(' · ')}</span>;
}

// What the answer was cut to, or the limit that it kept.
function limit(view: View): string {
  const { budget, target } = view.settings;
  if (!view.fits && target && budget.tokens && target < budget.tokens) return ` · target ${count(target)} of ${count(budget.tokens)}`;
  return budget.tokens && budget.tokens < 1e8 ? ` · limit ${count(budget.tokens)}` : '';
}

// Another client may count other tokens in the same answer; then this says what the client of the call counts.
function otherCount(view: View, original: View): string {
  if (view.settings.encoding === original.settings.encoding) return '';
  const { before, after } = original;
  return `; for ${original.settings.client || 'the client of the call'} it is ${count(before.size.tokens)} → ${count(after.size.tokens)}`;
}

export function Summary({ view, original = view }: { view: View; original?: View }) {
  const { row } = view;
  const before = view.before.size.tokens;
  const after = view.after.size.tokens;
  return (
    <div class="summary">
      <h1>{row ? <><span class="quiet">{line(row.upstream, 60)} / </span>{line(row.tool, 120)}</> : 'One answer, before and after'} {row ? <Tags what={row.what} /> : null}</h1>
      <p class="big number"><span class="quiet">{count(before)}</span> <span aria-label="tokens before, after">→</span> <b>{count(after)}</b> tokens
        <span class="quiet"> {percent(after, before)}{limit(view)} · {line(view.settings.contract, 40)}</span></p>

      <p class="quiet">{row ? <><Outcome row={row} /> · {line(row.client || 'unknown client', 60)} · {moment(row.time)} · </> : null}
        <span class="counted">{line(countedAs(view.settings), 160)}{line(otherCount(view, original), 120)}</span></p>
    </div>
  );
}
