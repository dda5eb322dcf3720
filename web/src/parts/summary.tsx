// SPDX-License-Identifier: Apache-2.0
// One answer in one line of figures: tool, what happened, tokens before and after, where the original is.
import type { ArchiveEntry, Row, View, What } from '../api/types';
import { href } from '../state/route';
import { countedAs, is_exact } from './counting';
import { change, count, date, exactly, line } from './format';
import { useNarrow } from './media';
import { Copy } from './states';

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
  if (!view.fits && target && budget.tokens && target < budget.tokens) return ` · cut to ${count(target)} of limit ${count(budget.tokens)}`;
  return budget.tokens && budget.tokens < 1e8 ? ` · limit ${count(budget.tokens)}` : '';
}

// Another client may count other tokens in the same answer; then this says what the client of the call counts.
function otherCount(view: View, original: View): string {
  if (view.settings.encoding === original.settings.encoding) return '';
  const { before, after } = original;
  return `; for ${original.settings.client || 'the client of the call'} it is ${count(before.size.tokens)} → ${count(after.size.tokens)}`;
}

interface SummaryProps {
  view: View;
  original?: View;
  entry?: ArchiveEntry | null;  // of the archive, once it was found there
  has_archive?: boolean;
  in_file?: boolean;  // a saved file: no links to the gateway
}

// Where the whole answer is, as far as the page knows it: an original may have expired.
function Original({ view, original, entry, has_archive, in_file }: Required<SummaryProps>) {
  const { handle, gone } = original;
  const narrow = useNarrow();
  const until = entry?.expires ?? view.expires;
  if (gone) return <p class="original-line quiet">The original <b class="number handle">{gone}</b> is not in the archive any more.</p>;
  if (!handle) return view.fits || !original.fits ? null : <p class="quiet">With these settings the answer would be cut{has_archive ? ', and its original archived' : ''}.</p>;
  return (
    <p class="original-line"><span class="quiet">{!narrow && until ? 'Original kept in the archive' : 'Original'}:</span> <b class="number handle">{handle}</b> {in_file ? <Copy text={view.commands.fetch ?? handle} label="Copy fetch call" title="The call that reads the whole original" /> : <Copy text={handle} label="Copy" title="Copy the handle" />}
      {until ? <span class="quiet">until <span title={exactly(until)}>{date(until)}</span></span> : null}
      {entry && !narrow ? <span class="quiet">{entry.answers > 1 ? <span title="Equal originals are archived once"> · shared by {count(entry.answers)} equal answers</span> : null}{entry.opened ? ` · opened ${count(entry.opened)}×` : ''}</span> : null}
      {entry ? <a href={href('archive', handle)}>open</a> : null}</p>
  );
}

export function Summary({ view, original = view, entry = null, has_archive = false, in_file = false }: SummaryProps) {
  const narrow = useNarrow();
  const { row } = view;
  const before = view.before.size.tokens;
  const after = view.after.size.tokens;
  const technical = <>{row ? <><Outcome row={row} /> · {line(row.client || 'unknown client', 60)} · {exactly(row.time)} · </> : null}
    <span class="counted" title={is_exact(view.settings.encoding) ? undefined : 'Enfold counts rather too much than too little'}>{line(countedAs(view.settings), 160)}{line(otherCount(view, original), 120)}</span></>;
  return (
    <div class="summary">
      <h1>{row ? <><span class="quiet">{line(row.upstream, 60)} / </span>{line(row.tool, 120)}</> : 'One answer, fitted for this file'} {row ? <Tags what={row.what} /> : null}</h1>
      <p class="big number"><span class="quiet">{count(before)}</span> <span aria-label="tokens before, after">→</span> <b>{count(after)}</b> tokens
        <span class="quiet">{change(before, after) ? ` · ${change(before, after)}` : ''}{narrow ? null : <>{limit(view)} · contract {line(view.settings.contract, 40)}</>}</span></p>
      <Original view={view} original={original} entry={entry} has_archive={has_archive} in_file={in_file} />
      {narrow ? <details class="quiet"><summary>Outcome, client, how it was counted</summary><p>{limit(view).slice(3)}{limit(view) ? ' · ' : ''}contract {line(view.settings.contract, 40)} · {technical}</p></details> : <p class="quiet">{technical}</p>}
    </div>
  );
}
