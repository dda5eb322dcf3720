// SPDX-License-Identifier: Apache-2.0
// Home: every answer that went through the gateway, as it happens.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { Row } from '../api/types';
import { AnswerRow } from '../parts/answer_row';
import { change, count, exactly, line, moment, plural, short } from '../parts/format';
import { useNarrow } from '../parts/media';
import { Empty, Failure, Loading } from '../parts/states';
import { useVirtual } from '../parts/virtual';
import { answers, FILTERS, MAX_ROWS, type Filter, type List } from '../state/answers';
import { useKeys } from '../state/keys';
import { href, navigate, setQuery } from '../state/route';
import { useLogin } from '../state/session';
import { useSignal } from '../state/signal';

const WHAT: Record<string, string> = {
  cut: 'Shortened to the limit of the client', repaired: 'Made valid for its client or contract',
  redacted: 'A credential was replaced', failed: 'The tool, or the server that has it, reported a failure', whole: 'All data of the server reached the model',
};

export function filterOf(query: URLSearchParams): Filter {
  const filter: Filter = {};
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value) filter[name] = value;
  }
  return filter;
}

interface Figures { calls: number; since: string | null; before: number; after: number; by: Record<string, number> }

function figures(rows: readonly Row[]): Figures {
  const by: Record<string, number> = {};
  let before = 0;
  let after = 0;
  for (const row of rows) {
    before += row.tokens_before;
    after += row.tokens_after;
    for (const what of row.what) by[what] = (by[what] ?? 0) + 1;
  }
  return { calls: rows.length, since: rows[rows.length - 1]?.time ?? null, before, after, by };
}

function Strip({ list, filter }: { list: List; filter: Filter }) {
  // Counting 10,000 rows four times a second would be work for nothing: at most once a second.
  const [shown, setShown] = useState(() => figures(list.rows));
  const rows = useRef(list.rows);
  rows.current = list.rows;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    if (timer.current) return;
    if (!shown.calls) {
      setShown(figures(list.rows));
      return;
    }
    timer.current = setTimeout(() => { timer.current = null; setShown(figures(rows.current)); }, list.rows.length > 500 ? 1000 : 100);
  }, [list.rows]);
  useEffect(() => () => { if (timer.current) clearTimeout(timer.current); }, []);
  return (
    <div class="strip" aria-label="Figures of the rows below" role="group">
      <p><b class="number">{count(shown.calls)}</b><span class="quiet">{shown.calls === 1 ? 'answer' : 'answers'}{list.has_more ? ' loaded' : ''}{shown.since ? <span title={exactly(shown.since)}> since {moment(shown.since)}</span> : null}</span></p>
      <p title={`${count(shown.before)} tokens that the servers sent, ${count(shown.after)} that the models got`}><b class="number">{short(shown.before)} → {short(shown.after)}</b><span class="quiet">tokens{change(shown.before, shown.after) ? `, ${change(shown.before, shown.after)}` : ''}</span></p>
      {Object.entries(WHAT).map(([what, meaning]) => {
        const number = shown.by[what] ?? 0;
        if (!number && filter.what !== what) return null;
        const on = filter.what === what;
        return (
          <button key={what} type="button" class={`figure ${on ? 'is-on' : ''}`} aria-pressed={on} onClick={() => setQuery({ what: on ? undefined : what }, false)} title={on ? 'Show all' : `${meaning}. Click to show only these`}>
            <b class={`number t-what-${what}`}>{count(number)}</b><span class="quiet">{what}</span>
          </button>);
      })}
    </div>
  );
}

function Choices({ name, label, filter, rows }: { name: 'upstream' | 'client' | 'tool' | 'principal' | 'outcome'; label: string; filter: Filter; rows: readonly Row[] }) {
  const values = useMemo(() => {
    const found = new Set<string>();
    for (let i = 0; i < Math.min(rows.length, 2000); i++) {
      const value = rows[i]![name];
      if (value) found.add(value);
    }
    if (filter[name]) found.add(filter[name]);
    return [...found].sort();
  }, [rows.length, rows[0]?.id, filter[name]]);
  if (values.length < 2 && !filter[name]) return null;
  return (
    <select aria-label={label} value={filter[name] ?? ''} class={filter[name] ? 'is-on' : ''} onChange={(event) => setQuery({ [name]: event.currentTarget.value || undefined }, false)}>
      <option value="">{label}</option>
      {values.map((value) => <option key={value} value={value}>{line(value, 60)}</option>)}
    </select>
  );
}

function Toolbar({ list, filter }: { list: List; filter: Filter }) {
  const is_filtered = Object.keys(filter).length > 0;
  const [is_open, setOpen] = useState(false);  // on narrow screens: the filters that have no room
  const chosen = Object.keys(filter).filter((name) => name !== 'q' && name !== 'what').length;
  return (
    <div class={`toolbar answers-bar ${is_open ? 'is-open' : ''}`} role="search">
      <input type="search" data-filter placeholder="Filter …" title="By tool, upstream, client, error, handle or request id" aria-label="Filter answers" value={filter.q ?? ''}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
        onKeyDown={(event) => { if (event.key === 'Enter') document.querySelector<HTMLElement>('[role=grid]')?.focus(); }} />
      <button type="button" class="narrow-only" aria-expanded={is_open} onClick={() => setOpen(!is_open)}>Filters{chosen ? ` · ${chosen}` : ''}</button>
      <Choices name="upstream" label="Upstream" filter={filter} rows={list.rows} />
      <Choices name="tool" label="Tool" filter={filter} rows={list.rows} />
      <Choices name="client" label="Client" filter={filter} rows={list.rows} />
      <Choices name="principal" label="Principal" filter={filter} rows={list.rows} />
      <Choices name="outcome" label="Result" filter={filter} rows={list.rows} />
      {is_filtered ? <button type="button" onClick={() => navigate(href('answers'))}>Clear</button> : null}
      <span class="space" />
      <button type="button" class={list.paused ? 'is-on' : ''} aria-pressed={list.paused} onClick={() => answers.pause(!list.paused)} title="Pause or resume (Space)">
        {list.paused ? (list.waiting ? `Resume · ${count(list.waiting)} new` : 'Resume') : 'Pause'}
      </button>
      <a class="button export" download="answers.jsonl" href={api.exportPath({ ...filter })} title="The rows of this filter as JSON Lines">Export</a>
    </div>
  );
}

function Nothing({ list, filter }: { list: List; filter: Filter }) {
  const session = useLogin();
  if (list.busy) return <Loading what="answers" />;
  if (Object.keys(filter).length) {
    return <Empty title="No answer matches"><p>New answers that match appear here. <a href={href('answers')}>Show all answers</a></p></Empty>;
  }
  return (
    <Empty title="No answers yet">
      <p>Each answer of a tool appears here when a client calls it{session?.upstreams.length ? ` (${plural(session.upstreams.length, 'upstream')})` : ''}.</p>
      <p>Point an MCP client at this gateway, or call a tool yourself:</p>
      <pre><code>{`enfold tools --url ${location.origin}/mcp\nenfold call TOOL --url ${location.origin}/mcp`}</code></pre>
    </Empty>
  );
}

export function AnswersScreen({ query }: { query: URLSearchParams }) {
  const filter = filterOf(query);
  const list = useSignal(answers);
  useEffect(() => answers.show(filter));
  return (
    <div class="screen answers-screen">
      <h1 class="sr-only">Answers</h1>
      <Strip list={list} filter={filter} />
      <Toolbar list={list} filter={filter} />
      {list.error ? <Failure error={list.error} again={() => { void answers.load(); }} /> : null}
      {list.missed ? <p class="note">{plural(list.missed, 'answer')} came faster than the list can show. <button type="button" onClick={() => { void answers.load(); }}>Load again</button></p> : null}
      {list.rows.length ? <Grid list={list} /> : list.error ? null : <Nothing list={list} filter={filter} />}
    </div>
  );
}

const COLUMNS = [
  { name: 'time', head: 'Time', title: 'When the call ended, the newest first' },
  { name: 'tool', head: 'Tool', title: 'Upstream and tool' },
  { name: 'result', head: 'Result', title: 'What happened to the answer. Of a failure also what failed: HTTP, JSON-RPC or the tool, with the message' },
  { name: 'tokens', head: 'Tokens', title: 'Tokens that the server sent → tokens that the model got. ≈ marks estimates: Enfold counts samples of a long answer. Open the answer to count it all' },
  { name: 'bar', head: 'Change', title: 'Of a cut answer: how many tokens fewer. Grey: what the model got; amber: what was left out. Of others: tokens more or fewer, and why, if Enfold knows it' },
  { name: 'ms', head: 'ms', title: 'Milliseconds that the upstream took' },
  { name: 'client', head: 'Client', title: 'Name of the client; point at it to see the version' },
  { name: 'principal', head: 'Principal', title: 'Who called, by the key of the request' },
];

let last_seen: number | null = null;  // the row to which one comes back

function Grid({ list }: { list: List }) {
  const { rows } = list;
  const rowHeight = useNarrow() ? 56 : 32;  // two lines a row where there is no room for columns
  const [current, setCurrent] = useState<number | null>(last_seen);
  const virtual = useVirtual(rows.length, rowHeight);
  const has_principal = useMemo(() => rows.slice(0, 1000).some((row) => row.principal), [rows]);
  const at = current === null ? -1 : rows.findIndex((row) => row.id === current);
  const choose = (index: number) => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
    if (!row) return;
    setCurrent(row.id);
    last_seen = row.id;
    virtual.scrollToRow(rows.indexOf(row));
  };
  const open = (row: Row) => {
    last_seen = row.id;
    navigate(href('answers', row.id));
  };
  const page = () => Math.max(1, Math.floor((virtual.element()?.clientHeight ?? 320) / rowHeight) - 1);
  useKeys({
    j: () => choose(at + 1), ArrowDown: () => choose(at + 1),
    k: () => choose(at < 0 ? 0 : at - 1), ArrowUp: () => choose(at < 0 ? 0 : at - 1),
    PageDown: () => choose(at + page()), PageUp: () => choose(at - page()),
    Home: () => choose(0), End: () => choose(rows.length - 1),
    Enter: (event) => { if (at < 0 || (event.target instanceof Element && event.target.closest('button, a, select'))) return false; open(rows[at]!); return true; },
    ' ': (event) => { if (event.target instanceof Element && event.target.closest('button, a, select')) return false; answers.pause(!list.paused); return true; },
  });
  // Rows that come in above keep what is looked at in its place, unless one looks at the top.
  const top = useRef(rows[0]?.id);
  useEffect(() => {
    const element = virtual.element();
    if (element && element.scrollTop > rowHeight && top.current !== undefined) {
      const shift = rows.findIndex((row) => row.id === top.current);
      if (shift > 0) element.scrollTop += shift * rowHeight;
    }
    top.current = rows[0]?.id;
  }, [rows]);
  useEffect(() => { if (at >= 0) virtual.scrollToRow(at, 'nearest'); }, []);
  // Also when a load that took the place of this request ended; after an error only on request.
  const wants_older = rows.length - virtual.window.last < 50 && list.has_more && !list.busy && !list.error;
  useEffect(() => { if (wants_older) void answers.older(); }, [wants_older, rows.length]);
  const visibleRows = rows.slice(virtual.window.first, virtual.window.last);
  return (
    <div class={`grid ${has_principal ? 'has-principal' : ''}`} role="grid" aria-label="Answers, newest first" aria-rowcount={rows.length + 1} tabIndex={0}
         aria-activedescendant={at >= virtual.window.first && at < virtual.window.last ? `row-${rows[at]!.id}` : undefined} ref={virtual.ref}>
      <div class="grid-head" role="row" aria-rowindex={1}>
        {COLUMNS.filter(({ name }) => has_principal || name !== 'principal').map(({ name, head, title }) =>
          <span key={name} role="columnheader" class={`c-${name}`} title={title}>{head}</span>)}
      </div>
      <div role="rowgroup" class="spacer" style={{ height: `${virtual.height}px` }}>
        <div role="presentation" class="slice" style={{ transform: `translateY(${virtual.window.first * rowHeight}px)` }}>
          {visibleRows.map((row, index) => (
            <AnswerRow key={row.id} row={row} index={virtual.window.first + index} current={row.id === current} has_principal={has_principal} open={open} />))}
        </div>
      </div>
      {rows.length >= MAX_ROWS ? <p class="grid-end quiet">The newest {count(MAX_ROWS)} answers are shown. Filter, or export, to reach older ones.</p> : null}
    </div>
  );
}
