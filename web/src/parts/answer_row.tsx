// SPDX-License-Identifier: Apache-2.0
// One row of the list of answers.
import { memo } from 'preact/compat';
import type { Row } from '../api/types';
import { href } from '../state/route';
import { TokenBar } from './charts';
import { clock, count, line, milliseconds, percent } from './format';
import { Tags } from './summary';

interface AnswerRowProps {
  row: Row;
  index: number;
  most: number;
  current: boolean;
  has_principal: boolean;
  open: (row: Row) => void;
}

// Three outcomes are told apart: of HTTP, of JSON-RPC, of the tool.
function outcome(row: Row) {
  const words = [row.http !== null && row.http !== 200 ? `HTTP ${row.http}` : '', row.rpc === 'error' ? 'RPC error' : '', row.outcome === 'ok' ? '' : row.kind ? `${row.outcome}: ${row.kind}` : row.outcome];
  return words.filter(Boolean).join(' · ') || 'ok';
}

function of(row: Row): string {
  return `${row.exact ? '' : '≈'}${row.tokens_before === row.tokens_after ? '' : count(row.tokens_before) + ' → '}${count(row.tokens_after)}`;
}

export const AnswerRow = memo(({ row, index, most, current, has_principal, open }: AnswerRowProps) => {
  const loud = row.what.filter((what) => what !== 'whole');
  const strongest = loud[loud.length - 1] ?? 'whole';
  const result = outcome(row);
  return (
    <div role="row" id={`row-${row.id}`} aria-rowindex={index + 2} aria-selected={current} class={`row s-${strongest} ${current ? 'is-current' : ''}`}
         onClick={(event) => { if (!(event.target as Element).closest('a') && !getSelection()?.toString()) open(row); }}>
      <span role="gridcell" class="c-time number quiet" title={row.time}>{clock(row.time)}</span>
      <span role="gridcell" class="c-tool"><span class="quiet upstream">{line(row.upstream, 40)}</span><a href={href('answers', row.id)} tabIndex={-1}>{line(row.tool, 80)}</a></span>
      <span role="gridcell" class="c-what">{loud.length ? <Tags what={loud} /> : <span class="quiet">whole</span>}{row.from_cache ? <span class="tag">cache</span> : null}</span>
      <span role="gridcell" class="c-tokens number" title={row.exact ? 'counted' : 'estimated from samples or from earlier answers of this tool; open the answer to count'}>{of(row)}</span>
      <span role="gridcell" class="c-bar" title={row.tokens_before > 0 ? `${percent(row.tokens_after, row.tokens_before)} of the tokens` : undefined}><TokenBar before={row.tokens_before} after={row.tokens_after} most={most} cut={row.what.includes('cut')} /></span>
      <span role="gridcell" class="c-ms number">{milliseconds(row.ms)}</span>
      <span role="gridcell" class="c-client quiet">{line(row.client, 40) || '–'}</span>
      {has_principal ? <span role="gridcell" class="c-principal quiet">{line(row.principal ?? '–', 30)}</span> : null}
      <span role="gridcell" class={`c-outcome ${row.outcome === 'failed' || row.rpc === 'error' ? 't-what-failed' : 'quiet'}`} title={row.error ? line(row.error) : result}>{result}{row.error ? <span class="quiet error-text"> {line(row.error, 120)}</span> : null}</span>
      <span role="gridcell" class="c-handle number quiet">{row.handle ? <a href={href('archive', row.handle)} tabIndex={-1}>{row.handle}</a> : ''}</span>
    </div>
  );
});
