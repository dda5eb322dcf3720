// SPDX-License-Identifier: Apache-2.0
// One row of the list of answers.
import { memo } from 'preact/compat';
import type { Row } from '../api/types';
import { href } from '../state/route';
import { KeptBar } from './charts';
import { change, clock, count, exactly, line, milliseconds } from './format';
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
  return `${row.exact ? '' : '≈'}${row.tokens_before === row.tokens_after ? '' : count(row.tokens_before) + ' → '}${count(row.tokens_after)}`;
}

function explained(row: Row): string {
  const { tokens_before: before, tokens_after: after } = row;
  const words = before <= 0 ? 'Made by Enfold itself' : before === after ? `All of ${count(before)} tokens` : `${count(after)} tokens for ${count(before)} that were sent: ${change(before, after)}`;
  return words + (after > before && before > 0 ? '. The envelope costs more than was cut' : '') + (row.exact ? '' : '. Estimated from samples; open the answer to count');
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
        <span class="c-tags">{loud.length ? <Tags what={loud} /> : <span class="quiet">complete</span>}{row.from_cache ? <span class="tag">cache</span> : null}
          {row.handle ? <a class="original quiet number" href={href('archive', row.handle)} tabIndex={-1} title={`Open the original ${row.handle} in the archive`}>original</a> : null}</span>
        {result || row.error ? <span class="c-message quiet"><span class={failed ? 't-what-failed' : ''}>{result}</span> {row.error ? line(row.error, 160) : ''}</span> : null}
      </span>
      <span role="gridcell" class="c-tokens number" title={explained(row)}>{tokens(row)}</span>
      <span role="gridcell" class="c-bar" title={explained(row)}><KeptBar before={row.tokens_before} after={row.tokens_after} kind={strongest} /></span>
      <span role="gridcell" class="c-ms number">{milliseconds(row.ms)}</span>
      <span role="gridcell" class="c-client quiet" title={line(row.client, 80)}>{line(nameOf(row.client), 40) || '–'}</span>
      {has_principal ? <span role="gridcell" class="c-principal quiet">{line(row.principal ?? '–', 30)}</span> : null}
    </div>
  );
});
