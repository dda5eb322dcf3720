// SPDX-License-Identifier: Apache-2.0
// Where the tokens go: a treemap by upstream and tool, a table with trends, advice to paste.
import { Fragment } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { Tool } from '../api/types';
import { Bar, Sparkline, treemap } from '../parts/charts';
import { bytes, count, line, milliseconds, percent, plural, short } from '../parts/format';
import { Copy, Empty, Failure, Loading } from '../parts/states';
import { useLoad } from '../state/load';
import { href, setQuery } from '../state/route';

type Measure = 'answers' | 'definitions';
const key = (tool: Tool) => `${tool.upstream}\u0000${tool.tool}`;
const share = (tool: Tool) => (tool.tokens_before > 0 ? Math.max(0, 1 - tool.tokens_after / tool.tokens_before) : 0);

function Treemap({ tools, measure }: { tools: readonly Tool[]; measure: Measure }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<Tool | null>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(Math.floor(box.current?.clientWidth ?? 0)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const height = Math.round(Math.max(220, Math.min(width * 0.24, 460)));
  const value = (tool: Tool) => (measure === 'answers' ? tool.tokens_before : tool.definition_tokens);
  const tiles = useMemo(() => {
    if (!width) return [];
    const groups = new Map<string, Tool[]>();
    for (const tool of tools) groups.set(tool.upstream, [...(groups.get(tool.upstream) ?? []), tool]);
    const outer = treemap([...groups].map(([name, all]) => ({ key: name, value: all.reduce((sum, tool) => sum + value(tool), 0) })), width, height);
    return outer.map((group) => ({
      group, inner: treemap(groups.get(group.key)!.map((tool) => ({ key: tool.tool, value: value(tool) })), Math.max(group.width - 4, 1), Math.max(group.height - 20, 1)),
    }));
  }, [tools, measure, width, height]);
  const by = useMemo(() => new Map(tools.map((tool) => [key(tool), tool])), [tools]);
  const is_empty = !tools.some((tool) => value(tool) > 0);
  if (is_empty) return <div ref={box}><Empty title={measure === 'answers' ? 'No answers yet' : 'No definitions yet'}><p>Tiles appear with the first {measure === 'answers' ? 'call' : 'list of tools'}.</p></Empty></div>;
  return (
    <div class="treemap" ref={box} onMouseLeave={() => setPointed(null)}><svg width={width} height={height} role="group" aria-label={`Tokens of ${measure} by upstream and tool`}>
      {tiles.map(({ group, inner }) => (
        <g key={group.key} transform={`translate(${group.x} ${group.y})`}>
          {group.width > 60 && group.height > 24 ? <text class="group-name" x="3" y="13">{fitted(group.key, group.width - 6, 6.8)}</text> : null}
          {inner.map((tile) => <TreemapTile key={tile.key} tile={tile} tool={by.get(`${group.key}\u0000${tile.key}`)!} measure={measure} onPoint={setPointed} />)}
        </g>))}
    </svg>
    <p class="tile-detail quiet number" aria-hidden="true">{pointed ? `${name_of(pointed)}: ${describe(pointed, measure)}` : 'Point at a tile, also at a small one, to read it.'}</p></div>
  );
}

const fitted = (name: string, width: number, letter: number) => {
  const room = Math.floor(width / letter);
  const text = line(name, 200);
  return room < 3 ? '' : text.length <= room ? text : text.slice(0, room - 1) + '…';
};

const name_of = (tool: Tool) => `${line(tool.upstream, 80)} / ${line(tool.tool, 120)}`;

function describe(tool: Tool, measure: Measure): string {
  if (measure === 'definitions') return `${short(tool.definition_tokens)} tokens`;
  const saved = share(tool);
  return `${short(tool.tokens_before)} tokens${saved >= 0.005 ? `, ${percent(saved, 1)} cut` : ''}`;
}

interface TreemapTileProps {
  tile: ReturnType<typeof treemap>[number];
  tool: Tool;
  measure: Measure;
  onPoint: (tool: Tool) => void;
}

function TreemapTile({ tile, tool, measure, onPoint }: TreemapTileProps) {
  const width = Math.max(tile.width - 2, 0.5);
  const height = Math.max(tile.height - 2, 0.5);
  const saved = measure === 'answers' ? share(tool) : 0;
  const words = describe(tool, measure);
  return (
    <a href={href('answers', null, { upstream: tool.upstream, tool: tool.tool })} onMouseEnter={() => onPoint(tool)} onFocus={() => onPoint(tool)}>
      <title>{`${name_of(tool)}\n${words}`}</title>
      <g transform={`translate(${tile.x + 1} ${tile.y + 18})`} class="tile">
        <rect class="tile-ground" width={width} height={height} rx="2" />
        {saved > 0 ? <rect class="tile-cut" width={width} height={height} rx="2" fill-opacity={saved} /> : null}
        {height > 18 ? <text aria-hidden="true" x="6" y="15" class="tile-name">{fitted(tile.key, width - 12, 7.4)}</text> : null}
        {height > 34 ? <text aria-hidden="true" x="6" y="29" class="tile-value">{fitted(words, width - 12, 6.6)}</text> : null}
      </g>
    </a>
  );
}

const COLUMNS = [
  ['tool', 'Tool'], ['calls', 'Calls'], ['failed', 'Failed'], ['cut', 'Cut'], ['redacted', 'Redacted'], ['tokens_before', 'Tokens'], ['saved', 'Saved'],
  ['per', 'Per call'], ['definition_tokens', 'Definition'], ['p50_ms', 'p50 ms'], ['p95_ms', 'p95 ms'],
] as const;
const TITLES: Partial<Record<Order, string>> = {
  tokens_before: 'Of the answers of the server → of what the models got', per: 'Tokens that the model got, on average', definition_tokens: 'Tokens of the definition of the tool',
  p50_ms: 'Half of the calls took at most this long. The gateway counts calls in steps, so this is the end of a step', p95_ms: '95 % of the calls took at most this long. The gateway counts calls in steps, so this is the end of a step',
};
type Order = (typeof COLUMNS)[number][0];

function valueOf(tool: Tool, order: Order): number | string {
  if (order === 'tool') return `${tool.upstream} ${tool.tool}`;
  if (order === 'saved') return share(tool);
  if (order === 'per') return tool.calls ? tool.tokens_after / tool.calls : 0;
  return tool[order];
}

function sorted(tools: readonly Tool[], order: Order): Tool[] {
  return [...tools].sort((a, b) => {
    const x = valueOf(a, order);
    const y = valueOf(b, order);
    return typeof x === 'string' ? x.localeCompare(String(y)) : Number(y) - x;
  });
}

function Advice({ tool }: { tool: Tool }) {
  return (
    <ul class="advice">
      {tool.advice.map((advice, index) => (
        <li key={index}><p>{line(advice.reason, 600)}</p><div class="snippet"><pre><code>{advice.toml}</code></pre><Copy text={advice.toml} label="Copy configuration" /></div></li>))}
    </ul>
  );
}

function ToolRow({ tool, most, open, onOpen }: { tool: Tool; most: number; open: boolean; onOpen: () => void }) {
  const quiet = tool.calls === 0 ? 'is-quiet' : '';
  const number = (value: number, kind = '') => <td class={`number ${value && kind ? `t-what-${kind}` : value ? '' : 'quiet'}`}>{value ? count(value) : '·'}</td>;
  return (
    <Fragment>
      <tr class={quiet}>
        <th scope="row"><span class="quiet">{line(tool.upstream, 40)} / </span><a href={href('answers', null, { upstream: tool.upstream, tool: tool.tool })}>{line(tool.tool, 80)}</a></th>
        {number(tool.calls)}{number(tool.failed, 'failed')}{number(tool.cut, 'cut')}{number(tool.redacted, 'redacted')}
        <td class="number wide">{tool.calls ? <>{short(tool.tokens_before)} <span class="quiet">→ {short(tool.tokens_after)}</span><Bar value={tool.tokens_before} most={most} /></> : <span class="quiet">·</span>}</td>
        <td class="number">{share(tool) >= 0.005 ? percent(share(tool), 1) : <span class="quiet">·</span>}</td>
        <td class="number">{tool.calls ? short(Math.round(tool.tokens_after / tool.calls)) : <span class="quiet">·</span>}</td>
        <td class="number">{count(tool.definition_tokens)}</td>
        <td class="number">{tool.calls ? `≤ ${milliseconds(tool.p50_ms)}` : <span class="quiet">·</span>}</td>
        <td class="number">{tool.calls ? `≤ ${milliseconds(tool.p95_ms)}` : <span class="quiet">·</span>}</td>
        <td class="wide"><Sparkline values={tool.trend.map((bucket) => bucket.tokens_before)} label={`Tokens of ${tool.tool} in the last 60 minutes`} empty="no calls" /></td>
        <td>{tool.advice.length ? <button type="button" aria-expanded={open} onClick={onOpen}>{plural(tool.advice.length, 'hint')}</button> : null}</td>
      </tr>
      {open ? <tr class="below"><td colSpan={13}><Advice tool={tool} /></td></tr> : null}
    </Fragment>
  );
}

function Table({ tools, order }: { tools: readonly Tool[]; order: Order }) {
  const [open, setOpen] = useState<string | null>(null);
  const most = tools.reduce((high, tool) => Math.max(high, tool.tokens_before), 1);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Tools, table">
      <table class="data">
        <thead><tr>
          {COLUMNS.map(([name, label]) => (
            <th key={name} scope="col" title={TITLES[name]} aria-sort={order === name ? (name === 'tool' ? 'ascending' : 'descending') : undefined} class={name === 'tool' ? '' : 'number'}>
              <button type="button" class="sort" onClick={() => setQuery({ sort: name })}>{label}{order === name ? <span aria-hidden="true">↓</span> : null}</button>
            </th>))}
          <th scope="col" title="Tokens of the answers of the server in each of the last 60 minutes">Last 60 min</th><th scope="col">Advice</th>
        </tr></thead>
        <tbody>{sorted(tools, order).map((tool) => <ToolRow key={key(tool)} tool={tool} most={most} open={open === key(tool)} onOpen={() => setOpen(open === key(tool) ? null : key(tool))} />)}</tbody>
      </table>
    </div>
  );
}

export function ToolsScreen({ query }: { query: URLSearchParams }) {
  const { value, error, again } = useLoad((signal) => api.tools(signal), [], 5000);
  const measure: Measure = query.get('measure') === 'definitions' ? 'definitions' : 'answers';
  const wanted = query.get('q')?.toLowerCase() ?? '';
  const order = COLUMNS.find(([name]) => name === query.get('sort'))?.[0] ?? 'tokens_before';
  if (error && !value) return <Failure error={error} again={again} />;
  if (!value) return <Loading what="tools" />;
  const tools = value.tools.filter((tool) => !wanted || `${tool.upstream} ${tool.tool}`.toLowerCase().includes(wanted));
  const sum = (of: (tool: Tool) => number) => tools.reduce((total, tool) => total + of(tool), 0);
  const before = sum((tool) => tool.tokens_before);
  const after = sum((tool) => tool.tokens_after);
  return (
    <div class="screen page">
      <h1 class="sr-only">Tools</h1>
      <div class="strip">
        <p><b class="number">{count(tools.length)}</b><span class="quiet">{tools.length === 1 ? 'tool' : 'tools'}, {short(sum((tool) => tool.definition_tokens))} tokens of definitions</span></p>
        <p><b class="number">{short(before)} → {short(after)}</b><span class="quiet">tokens of answers{before > after ? `, ${percent(before - after, before)} saved` : ''}</span></p>
        <p><b class="number">{bytes(sum((tool) => tool.bytes_before))}</b><span class="quiet">from servers</span></p>
        <p><b class="number">{count(sum((tool) => tool.advice.length))}</b><span class="quiet">hints</span></p>
      </div>
      <div class="toolbar">
        <input type="search" data-filter placeholder="Filter tools …" aria-label="Filter tools" value={query.get('q') ?? ''} onInput={(event) => setQuery({ q: event.currentTarget.value })} />
        <div class="segments" role="group" aria-label="What the tiles show">
          {(['answers', 'definitions'] as const).map((name) => <button key={name} type="button" aria-pressed={measure === name} onClick={() => setQuery({ measure: name === 'answers' ? undefined : name }, false)}>{name === 'answers' ? 'Answers' : 'Definitions'}</button>)}
        </div>
        <span class="quiet key-line">{measure === 'answers' ? <>nothing cut <span class="cut-scale" aria-hidden="true" /> all cut</> : null}</span>
      </div>
      {error ? <Failure error={error} again={again} /> : null}
      {tools.length ? <><Treemap tools={tools} measure={measure} /><Table tools={tools} order={order} /></>
        : <Empty title={wanted ? 'No tool matches' : 'No tools yet'}><p>{wanted ? 'Change the filter.' : 'No upstream has listed its tools. See Upstreams.'} {wanted ? null : <a href={href('upstreams')}>Upstreams</a>}</p></Empty>}
    </div>
  );
}
