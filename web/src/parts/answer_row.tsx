// SPDX-License-Identifier: Apache-2.0
// One row of the list of answers.
import { memo } from 'preact/compat';
import type { Row } from '../api/types';
import { href } from '../state/route';
import { FlowBar } from './charts';
import { change, clock, count, exactly, line, milliseconds, signedChange } from './format';
import { Tags } from './summary';

interface AnswerRowProps {
  row: Row;
  index: number;
  current: boolean;
  has_principal: boolean;
  open: (row: Row) => void;
}

// Three outcomes are told apart: of HTTP, of JSON-RPC, of the tool. The badge says that a tool failed.
function outcome(row: Row) {
  const tool = row.kind ?? (row.outcome === 'failed' || row.outcome === 'ok' || row.outcome === 'partial' ? '' : row.outcome.replace('_', ' '));
  return [row.http !== null && row.http !== 200 ? `HTTP ${row.http}` : '', row.rpc === 'error' ? 'RPC error' : '', tool].filter(Boolean).join(' · ');
}

function tokens(row: Row): string {
  if (row.tokens_before <= 0) return count(row.tokens_after);  // made by Enfold itself
  const about = row.exact ? '' : '≈';
  return `${row.tokens_before === row.tokens_after ? '' : `${about}${count(row.tokens_before)} → `}${about}${count(row.tokens_after)}`;
}

// Where the tokens went to, or came from, if the gateway knows it. An estimate of the figures may differ
// from what was counted later, and then the reason is of neither.
function reason({ tokens_before: before, tokens_after: after, reason: why }: Row): Row['reason'] {
  return (why === 'cut') === (after < before) ? why : null;
}

const LABELS = { envelope: 'envelope', text: 'text as JSON' } as const;

function meaning(row: Row): string {
  switch (reason(row)) {
    case 'cut': return row.handle ? 'Enfold cut the answer; the original was archived' : 'Enfold cut the answer; no original was archived for it';
    case 'envelope': return 'Enfold added its envelope: status, warnings, how to get more';
    case 'text': return 'Enfold added its envelope, and wrote the text as a JSON string: line breaks and quotes became escapes';
    default: return '';
  }
}

// Only of what was cut there is a share to show. What grew is a number of tokens, with its reason.
function Change({ row }: { row: Row }) {
  const { tokens_before: before, tokens_after: after } = row;
  if (before <= 0 || before === after) return null;
  const why = reason(row);
  return (
    <span class="change">
      {why === 'cut' ? <FlowBar before={before} after={after} most={before} /> : <span class="change-why quiet">{why ? LABELS[why] : ''}</span>}
      <span class="change-by number">{why === 'cut' ? signedChange(before, after) : after > before ? `+${count(after - before)}` : `−${count(before - after)}`}</span>
    </span>
  );
}

function explained(row: Row): string {
  const { tokens_before: before, tokens_after: after } = row;
  const words = before <= 0 ? 'Made by Enfold itself' : before === after ? `All of ${count(before)} tokens` : `${count(after)} tokens for ${count(before)} that were sent: ${change(before, after)}`;
  return words + (before > 0 && meaning(row) ? `. ${meaning(row)}` : '') + (row.exact ? '' : '. Estimated from samples; open the answer to count');
}

// "cursor 1.0" is the client "cursor".
const nameOf = (client: string) => client.replace(/\s+v?\d[\w.+-]*$/, '');

export const AnswerRow = memo(({ row, index, current, has_principal, open }: AnswerRowProps) => {
  const loud = row.what.filter((what) => what !== 'whole');
  const strongest = loud[loud.length - 1] ?? 'whole';
  const result = outcome(row);
  const failed = row.what.includes('failed') || row.rpc === 'error';
  return (
    <div role="row" id={`row-${row.id}`} aria-rowindex={index + 2} aria-selected={current} class={`row s-${strongest} ${current ? 'is-current' : ''}`}
         onClick={(event) => { if (!(event.target as Element).closest('a') && !getSelection()?.toString()) open(row); }}>
      <span role="gridcell" class="c-time number quiet" title={exactly(row.time)}>{clock(row.time)}</span>
      <span role="gridcell" class="c-tool"><span class="quiet upstream">{line(row.upstream, 40)}</span><a href={href('answers', row.id)} tabIndex={-1}>{line(row.tool, 80)}</a></span>
      <span role="gridcell" class="c-result" title={[result, row.error ? line(row.error) : ''].filter(Boolean).join(': ') || undefined}>
        <span class="c-tags">{loud.length ? <Tags what={loud} /> : <span class="quiet">whole</span>}{row.from_cache ? <span class="tag">cache</span> : null}
          {row.handle ? <a class="original quiet number" href={href('archive', row.handle)} tabIndex={-1} title={`Open the original ${row.handle} in the archive`}>original</a> : null}</span>
        {result || row.error ? <span class="c-message quiet"><span class={failed ? 't-what-failed' : ''}>{result}</span> {row.error ? line(row.error, 160) : ''}</span> : null}
      </span>
      <span role="gridcell" class="c-tokens number" title={explained(row)}>{tokens(row)}</span>
      <span role="gridcell" class="c-bar" title={explained(row)}><Change row={row} /></span>
      <span role="gridcell" class="c-ms number">{milliseconds(row.ms)}</span>
      <span role="gridcell" class="c-client quiet" title={line(row.client, 80)}>{line(nameOf(row.client), 40) || '–'}</span>
      {has_principal ? <span role="gridcell" class="c-principal quiet">{line(row.principal ?? '–', 30)}</span> : null}
    </div>
  );
});
