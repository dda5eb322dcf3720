// SPDX-License-Identifier: Apache-2.0
// Where the tokens go: a treemap by upstream and tool, a table with trends, advice to paste.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { Tool } from '../api/types';
import { FlowBar, Sparkline } from '../parts/charts';
import { DataTable, type Column } from '../parts/data_table';
import { change, count, line, milliseconds, plural, short, signedChange } from '../parts/format';
import { useNarrow } from '../parts/media';
import { Copy, Empty, Failure, Loading } from '../parts/states';
import { legibleMap, type Box } from '../parts/treemap';
import { useLoad } from '../state/load';
import { href, setQuery } from '../state/route';

type Measure = 'answers' | 'definitions';
const key = (tool: Tool) => `${tool.upstream}\u0000${tool.tool}`;
// Below 0: more tokens than were sent.
const saved = (tool: Tool) => (tool.tokens_before > 0 ? 1 - tool.tokens_after / tool.tokens_before : 0);
// A tool of the gateway itself.
const is_own = (tool: Tool) => tool.upstream === 'enfold' && tool.tool.startsWith('enfold_');
const name_of = (tool: Tool) => `${line(tool.upstream, 80)} / ${line(tool.tool, 120)}`;

function describe(tool: Tool, measure: Measure): string {
  if (measure === 'definitions') return `${count(tool.definition_tokens)} tokens`;
  const less = change(tool.tokens_before, tool.tokens_after);
  return `${count(tool.tokens_before)} → ${count(tool.tokens_after)} tokens${less ? `, ${less}` : ''}`;
}

interface TreemapProps {
  tools: readonly Tool[];
  measure: Measure;
  below: number;  // only tools with fewer tokens; 0: all
}

function Treemap({ tools, measure, below }: TreemapProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState('');
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(Math.floor(box.current?.clientWidth ?? 0)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const height = Math.round(Math.max(180, Math.min(width * 0.17, 400)));
  const value = (tool: Tool) => (measure === 'answers' ? Math.max(tool.tokens_before, tool.tokens_after) : tool.definition_tokens);
  const shown = useMemo(() => tools.filter((tool) => !below || value(tool) < below), [tools, measure, below]);
  const map = useMemo(() => (width ? legibleMap(shown.map((tool) => ({ key: key(tool), group: line(tool.upstream, 60), name: line(tool.tool, 80), value: value(tool) })), width, height) : null), [shown, measure, width, height]);
  const by = useMemo(() => new Map(tools.map((tool) => [key(tool), tool])), [tools]);
  if (!shown.some((tool) => value(tool) > 0)) return <div ref={box}><Empty title={measure === 'answers' ? 'No answers yet' : 'No definitions yet'}><p>Tiles appear with the first {measure === 'answers' ? 'call' : 'list of tools'}.</p></Empty></div>;
  const others = map ? shown.filter((tool) => map.others.includes(key(tool))) : [];
  return (
    <div class="treemap" ref={box} onMouseLeave={() => setPointed('')}><svg width={width} height={height} role="group" aria-label={`Tokens of ${measure} by upstream and tool`}>
      <defs><Hatch id="hatch" /></defs>
      {map?.groups.map((group) => <text key={group.key} class="group-name" x={group.x + 3} y={group.y + 13}>{group.key}</text>)}
      {map?.tiles.map((tile) => {
        const tool = by.get(tile.key)!;
        return <TreemapTile key={tile.key} tile={tile} name={line(tool.tool, 80)} label={`${name_of(tool)}: ${describe(tool, measure)}`} words={measure === 'answers' ? `${short(tool.tokens_before)} ${signedChange(tool.tokens_before, tool.tokens_after)}` : short(tool.definition_tokens)}
          flow={measure === 'answers' ? { before: tool.tokens_before, after: tool.tokens_after } : null} to={href('answers', null, { upstream: tool.upstream, tool: tool.tool })} onPoint={setPointed} />;
      })}
      {map?.rest ? <text class="group-name" x={map.rest.x + 3} y={map.rest.y - 5}>others</text> : null}
      {map?.rest ? <OthersTile tile={map.rest} tools={others} value={value} measure={measure} onPoint={setPointed} /> : null}
    </svg>
    <p class="tile-detail quiet number" aria-hidden="true">{pointed || 'Touch or point at a tile to see its numbers.'}</p></div>
  );
}

// The tools whose tiles would be too small to read; opened, they have the map for themselves.
function OthersTile({ tile, tools, value, measure, onPoint }: { tile: Box; tools: readonly Tool[]; value: (tool: Tool) => number; measure: Measure; onPoint: (words: string) => void }) {
  const sum = (of: (tool: Tool) => number) => tools.reduce((total, tool) => total + of(tool), 0);
  const most = tools.reduce((high, tool) => Math.max(high, value(tool)), 0);
  const flow = measure === 'answers' ? { before: sum((tool) => tool.tokens_before), after: sum((tool) => tool.tokens_after) } : null;
  const query = new URLSearchParams(location.search);
  query.set('below', String(most + 1));
  const name = plural(tools.length, 'tool');
  return <TreemapTile tile={tile} name={name} label={`${plural(tools.length, 'other tool')}: ${count(flow ? flow.before : sum(value))} tokens. Open to see them`} words={flow ? `${short(flow.before)} ${signedChange(flow.before, flow.after)}` : short(sum(value))} flow={flow}
    to={`${href('tools')}?${query.toString()}`} onPoint={onPoint} />;
}

const LABEL = 36;  // pixels of the two lines of a label; an edge behind them would cross out the words

export const Hatch = ({ id }: { id: string }) => (
  <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="tile-ground" width="5" height="5" /><rect class="hatch-line" width="2" height="5" /></pattern>);

interface TreemapTileProps {
  tile: Box;
  name: string;
  words: string;
  label: string;
  flow: { before: number; after: number } | null;  // null: definitions, which nothing changes
  to: string;
  onPoint: (words: string) => void;
}

function TreemapTile({ tile, name, words, label, flow, to, onPoint }: TreemapTileProps) {
  const width = Math.max(tile.width - 2, 1);
  const height = Math.max(tile.height - 2, 1);
  const { before, after } = flow ?? { before: 1, after: 1 };
  const same = before === after ? height : Math.round((height * Math.min(before, after)) / Math.max(before, after));
  const edge = height - same;
  return (
    <a href={to} onMouseEnter={() => onPoint(label)} onFocus={() => onPoint(label)}>
      <title>{label}</title>
      <g transform={`translate(${tile.x} ${tile.y})`} class="tile">
        <rect class="tile-ground" width={width} height={height} rx="2" />
        {edge > 0 ? <rect class={after < before ? 'tile-cut' : 'tile-added'} width={width} height={edge} rx="2" /> : null}
        {edge > 0 && (edge < LABEL || after > before) ? <rect class={`tile-label ${after < before && edge > LABEL / 2 ? 'tile-cut' : 'tile-ground'}`} width={Math.min(width - 4, 12 + 7.4 * Math.max(name.length, words.length))} height={LABEL - 3} x="2" y="2" rx="2" /> : null}
        <text aria-hidden="true" x="6" y="15" class="tile-name">{name}</text>
        <text aria-hidden="true" x="6" y="29" class="tile-value">{words}</text>
      </g>
    </a>
  );
}

function valueOf(tool: Tool, order: string): number | string {
  if (order === 'tool') return `${tool.upstream} ${tool.tool}`;
  if (order === 'saved') return saved(tool);
  if (order === 'per') return tool.calls ? tool.tokens_after / tool.calls : 0;
  return tool[order as 'calls'];
}

function sorted(tools: readonly Tool[], order: string): Tool[] {
  return [...tools].sort((a, b) => {
    const x = valueOf(a, order);
    const y = valueOf(b, order);
    return typeof x === 'string' ? x.localeCompare(String(y)) : Number(y) - x;
  });
}

function Advice({ tool }: { tool: Tool }) {
  return (
    <ul class="advice">{tool.advice.map((advice) => (
      <li key={advice.toml}><p>{line(advice.reason, 500)}</p><div class="snippet"><pre><code>{advice.toml}</code></pre><Copy text={advice.toml} label="Copy configuration" /></div></li>))}
    </ul>
  );
}

// The keys that the advice would set say what it is about.
const topicOf = (tool: Tool) => [...new Set(tool.advice.flatMap(({ toml }) => [...toml.matchAll(/^(\w+) =/gm)].map((found) => found[1]!)))].join(', ');

const numeric = (value: number, show = count) => (value ? show(value) : null);
const called = (tool: Tool, words: string) => (tool.calls ? words : null);

function columnsOf(most: number, open: string | null, setOpen: (key: string | null) => void): Column<Tool>[] {
  const number = { number: true, sorts: true };
  return [
    { name: 'tool', label: 'Tool', title: 'Upstream and tool; click to see its answers', sorts: true,
      show: (tool) => <><span class="quiet">{line(tool.upstream, 40)} / </span><a href={href('answers', null, { upstream: tool.upstream, tool: tool.tool })}>{line(tool.tool, 80)}</a></> },
    { name: 'calls', label: 'Calls', title: 'Calls since the start of the gateway', ...number, show: (tool) => numeric(tool.calls) },
    { name: 'failed', label: 'Failed', title: 'Calls that the tool, or its server, reported as failed', ...number, kind: (tool) => (tool.failed ? 't-what-failed' : ''), show: (tool) => numeric(tool.failed) },
    { name: 'cut', label: 'Cut', title: 'Answers that were cut to the limit of the client', ...number, kind: (tool) => (tool.cut ? 't-what-cut' : ''), show: (tool) => numeric(tool.cut) },
    { name: 'redacted', label: 'Redacted', title: 'Answers in which a credential was replaced', ...number, kind: (tool) => (tool.redacted ? 't-what-redacted' : ''), show: (tool) => numeric(tool.redacted) },
    { name: 'tokens_before', label: 'Tokens', title: 'Tokens that the server sent → tokens that the models got. Of the bar grey is what models got, amber what was left out, hatched what Enfold added', ...number, wide: true, card: 'key',
      show: (tool) => (tool.calls ? <span title={describe(tool, 'answers')}>{short(tool.tokens_before)} <span class="quiet">→ {short(tool.tokens_after)}</span><FlowBar before={tool.tokens_before} after={tool.tokens_after} most={most} /></span> : null) },
    { name: 'saved', label: 'Change', title: 'Fewer or more tokens than were sent. More: the envelope, and JSON escapes in texts', ...number,
      show: (tool) => signedChange(tool.tokens_before, tool.tokens_after) || null },
    { name: 'per', label: 'Got per call', title: 'Tokens that the model got for one call, on average', ...number, show: (tool) => called(tool, short(Math.round(tool.tokens_after / tool.calls))) },
    { name: 'definition_tokens', label: 'Definition tokens', title: 'Tokens of the definition of the tool, which every list of tools has', ...number, show: (tool) => numeric(tool.definition_tokens) },
    { name: 'p50_ms', label: 'Median ms', title: 'Half of the calls took at most this long. The gateway counts calls in steps, so this is the end of a step', ...number, card: 'hide', show: (tool) => called(tool, `≤ ${milliseconds(tool.p50_ms)}`) },
    { name: 'p95_ms', label: '95 % ms', title: '95 % of the calls took at most this long. The gateway counts calls in steps, so this is the end of a step', ...number, card: 'hide', show: (tool) => called(tool, `≤ ${milliseconds(tool.p95_ms)}`) },
    { name: 'trend', label: 'Last 60 min', title: 'Tokens that the server sent in each of the last 60 minutes', wide: true, card: 'hide',
      show: (tool) => (tool.trend.length ? <Sparkline values={perMinute(tool)} label={`Tokens of ${tool.tool} in the last 60 minutes`} empty="no calls" /> : null) },
    { name: 'advice', label: 'Try', title: 'Advice: settings of the configuration to try, from the calls so far. What the server itself could do better is on the page Check',
      show: (tool) => (tool.advice.length ? <button type="button" aria-expanded={open === key(tool)} onClick={() => setOpen(open === key(tool) ? null : key(tool))}>{line(topicOf(tool), 40)}</button> : null) },
  ];
}

// From the first minute with a call on, minutes without one count as 0.
function perMinute(tool: Tool): number[] {
  const minute = (time: string) => Math.floor(new Date(time).getTime() / 60_000);
  const by = new Map(tool.trend.map((bucket) => [minute(bucket.time), bucket.tokens_before]));
  const first = minute(tool.trend[0]!.time);
  const last = Math.max(minute(tool.trend[tool.trend.length - 1]!.time), Math.min(minute(new Date().toISOString()), first + 59));
  return Array.from({ length: Math.min(last - first + 1, 60) }, (_, at) => by.get(first + at) ?? 0);
}

// What the figure is without the tools that have most of it.
function withoutLargest(tools: readonly Tool[], most: number): string {
  const rest = [...tools].sort((a, b) => b.tokens_before - a.tokens_before).slice(most);
  const sum = (of: (tool: Tool) => number) => rest.reduce((total, tool) => total + of(tool), 0);
  return change(sum((tool) => tool.tokens_before), sum((tool) => tool.tokens_after));
}

const LARGEST = 2;

function Key({ what }: { what: 'ground' | 'cut' | 'added' }) {
  return <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">{what === 'added' ? <defs><Hatch id="hatch-key" /></defs> : null}<rect class={what === 'added' ? 'key-added' : `tile-${what}`} width="10" height="10" /></svg>;
}

export function ToolsScreen({ query }: { query: URLSearchParams }) {
  const { value, error, again } = useLoad((signal) => api.tools(signal), [], 5000);
  const [open, setOpen] = useState<string | null>(null);
  const narrow = useNarrow();
  const measure: Measure = query.get('measure') === 'definitions' ? 'definitions' : 'answers';
  const wanted = query.get('q')?.toLowerCase() ?? '';
  const only_advice = query.get('advice') === '1';
  const below = Number(query.get('below')) || 0;
  if (error && !value) return <Failure error={error} again={again} />;
  if (!value) return <Loading what="tools" />;
  const matching = value.tools.filter((tool) => !wanted || `${tool.upstream} ${tool.tool}`.toLowerCase().includes(wanted));
  const tools = only_advice ? matching.filter((tool) => tool.advice.length) : matching;
  const columns = columnsOf(tools.reduce((high, tool) => Math.max(high, tool.tokens_before, tool.tokens_after), 1), open, setOpen);
  const order = columns.find(({ name, sorts }) => sorts && name === query.get('sort'))?.name ?? 'tokens_before';
  const sum = (of: (tool: Tool) => number) => matching.reduce((total, tool) => total + of(tool), 0);
  const before = sum((tool) => tool.tokens_before);
  const after = sum((tool) => tool.tokens_after);
  const rest = matching.filter((tool) => tool.tokens_before).length > 2 * LARGEST ? withoutLargest(matching, LARGEST) : '';
  const advice = sum((tool) => tool.advice.length);
  const own = matching.filter(is_own).length;
  const fetched = sum((tool) => (is_own(tool) ? tool.tokens_after : 0));
  return (
    <div class="screen page">
      <h1 class="sr-only">Tools</h1>
      <div class="strip">
        <p title={own ? 'Tools of Enfold itself, such as enfold_fetch, are not tools of an upstream' : undefined}><b class="number">{count(matching.length - own)}</b><span class="quiet">{matching.length - own === 1 ? 'tool' : 'tools'}{own ? ` + ${count(own)} of Enfold` : ''}, {short(sum((tool) => tool.definition_tokens))} tokens of definitions</span></p>
        <p title={`${count(before)} tokens that the servers sent, ${count(after)} that the models got${fetched ? `; of them ${count(fetched)} were fetched from the archive` : ''}`}><b class="number">{short(before)} → {short(after)}</b><span class="quiet">tokens of answers{change(before, after) ? `, ${change(before, after)}` : ''}{rest ? ` (${rest} without the two largest tools)` : ''}</span></p>
        {advice || only_advice ? <button type="button" class={`figure ${only_advice ? 'is-on' : ''}`} aria-pressed={only_advice} onClick={() => setQuery({ advice: only_advice ? undefined : '1' }, false)} title="Settings to try, from the calls so far. Click to show only the tools that have advice">
          <b class="number">{count(advice)}</b><span class="quiet">{advice === 1 ? 'setting' : 'settings'} to try</span></button> : null}
      </div>
      <div class="toolbar">
        <input type="search" data-filter placeholder="Filter …" aria-label="Filter tools" value={query.get('q') ?? ''} onInput={(event) => setQuery({ q: event.currentTarget.value })} />
        {narrow ? null : <div class="segments" role="group" aria-label="What the tiles show">
          {(['answers', 'definitions'] as const).map((name) => <button key={name} type="button" aria-pressed={measure === name} onClick={() => setQuery({ measure: name === 'answers' ? undefined : name, below: undefined }, false)}>{name === 'answers' ? 'Answers' : 'Definitions'}</button>)}
        </div>}
        {below && !narrow ? <button type="button" class="is-on" onClick={() => setQuery({ below: undefined }, false)}>Back to the largest</button> : null}
        {measure === 'answers' && !narrow ? <span class="quiet key-line"><Key what="ground" />sent, and got by models <Key what="cut" />left out <Key what="added" />added by Enfold · area = tokens</span> : null}
      </div>
      {error ? <Failure error={error} again={again} /> : null}
      {tools.length ? <>{narrow ? null : <Treemap tools={tools} measure={measure} below={below} />}
        <DataTable label="Tools" rows={sorted(tools, order)} columns={columns} keyOf={key} order={order} ascending={order === 'tool'} quiet={(tool) => tool.calls === 0} below={(tool) => (open === key(tool) ? <Advice tool={tool} /> : null)} /></>
        : <Empty title={wanted ? 'No tool matches' : 'No tools yet'}><p>{wanted ? 'Change the filter.' : 'No upstream has listed its tools. See Upstreams.'} {wanted ? null : <a href={href('upstreams')}>Upstreams</a>}</p></Empty>}
    </div>
  );
}
