// SPDX-License-Identifier: Apache-2.0
// Questions to one archived answer: SQL, text, pointer, condition; the result as a table or as JSON.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import { ExactNumber, stringifyExact } from '../api/exact';
import type { QueryResult, Table } from '../api/types';
import { useKeys } from '../state/keys';
import { asApiError, useLoad } from '../state/load';
import { href, navigate, setQuery } from '../state/route';
import { bytes, exactly, line, milliseconds, plural, relative } from './format';
import { JsonView } from './json_view';
import { useNarrow } from './media';
import { Copy, download, Failure, Loading } from './states';

const MODES = [
  { name: 'sql', label: 'SQL', hint: 'select … from …', help: 'Any SELECT over the tables of this answer. Lists of records are tables, their members are columns.' },
  { name: 'find', label: 'Find', hint: 'words', help: 'Words to find in any text of the answer.' },
  { name: 'where', label: 'Where', hint: 'state = open and labels contains bug', help: 'Records that meet a condition, such as: state = open and labels contains bug.' },
  { name: 'pointer', label: 'Pointer', hint: '/issues/0', help: 'The value at one place, written as a JSON Pointer such as /issues/0.' },
] as const;
type Mode = (typeof MODES)[number]['name'];

const NO_QUESTION: Record<Mode | 'mode', string | undefined> = { sql: undefined, find: undefined, where: undefined, pointer: undefined, mode: undefined };

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

function TableList({ tables, onPick }: { tables: readonly Table[]; onPick: (sql: string) => void }) {
  if (!tables.length) return <p class="quiet">This answer has no lists of records. Use Find or Pointer.</p>;
  return (
    <ul class="tables">{tables.map((table) => (
      <li key={table.name}>
        <button type="button" class="text-button" onClick={() => onPick(`select * from ${quoted(table.name)} limit 20`)} title={`Query ${table.name}`}><b>{line(table.name, 60)}</b></button>
        <span class="number quiet">{plural(table.rows, 'row')} · {line(table.pointer || '/', 60)}</span>
        <ul class="columns">{table.columns.map((column) => (
          <li key={column.name}><button type="button" class="text-button" title={`Count by ${column.name}`} onClick={() => onPick(`select ${quoted(column.name)}, count(*) from ${quoted(table.name)} group by 1 order by 2 desc`)}>{line(column.name, 60)}</button> <span class="quiet" title={column.name === '_parent' ? 'The rowid of the record that holds this one' : undefined}>{line(column.type, 30)}{column.name === '_parent' ? ' → rowid of the record above' : ''}</span></li>))}
        </ul>
      </li>))}
    </ul>
  );
}

// Queries to begin with, made from the tables of the answer.
function Starts({ tables, onPick }: { tables: readonly Table[]; onPick: (sql: string) => void }) {
  const [table] = tables;
  if (!table) return <p class="quiet">This answer has no tables.</p>;
  const column = table.columns.find(({ type, name }) => /text/i.test(type) && /state|status|type|kind|level|category|author|name/i.test(name)) ?? table.columns[0];
  const queries = [
    `select * from ${quoted(table.name)} limit 20`,
    ...(column ? [`select ${quoted(column.name)}, count(*) as number from ${quoted(table.name)} group by 1 order by 2 desc`] : []),
    `select count(*) as number from ${quoted(table.name)}`,
  ];
  return <><p class="quiet">Click a table or a column, write a question, or begin with one of these:</p><ul>{queries.map((sql) => <li key={sql}><button type="button" class="text-button" onClick={() => onPick(sql)}><code>{sql}</code></button></li>)}</ul></>;
}

const cell = (value: unknown): string => (value === null || value === undefined ? '' : typeof value === 'string' ? value : stringifyExact(value));

function ResultTable({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly unknown[])[] }) {
  const numeric = columns.map((_, at) => rows.length > 0 && rows.every((row) => row[at] === null || typeof row[at] === 'number' || row[at] instanceof ExactNumber));
  return (
    <div class="scroll-x result-table" tabIndex={0} role="region" aria-label="Result, table">
      <table class="data">
        <thead><tr>{columns.map((name, at) => <th key={at} scope="col" class={numeric[at] ? 'number' : ''}>{line(name, 60)}</th>)}</tr></thead>
        <tbody>{rows.map((row, index) => <tr key={index}>{columns.map((_, at) => <td key={at} class={numeric[at] ? 'number' : ''} title={cell(row[at]).length > 120 ? cell(row[at]).slice(0, 1000) : undefined}>{row[at] === null ? <span class="quiet">null</span> : line(cell(row[at]), 120)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

// A spreadsheet takes a text that begins so as a formula.
const harmless = (value: unknown) => (typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : cell(value));
const cells = (value: unknown) => { const text = harmless(value); return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; };

// The pages of a result as one table: each page has the columns of its own records.
function merged(results: readonly QueryResult[]): NonNullable<QueryResult['rows']> | null {
  const columns = [...new Set(results.flatMap((result) => result.rows?.columns ?? []))];
  const rows: unknown[][] = [];
  for (const result of results) {
    if (!result.rows) return null;
    const places = columns.map((name) => result.rows!.columns.indexOf(name));
    for (const row of result.rows.rows) rows.push(places.map((place) => (place < 0 ? null : row[place])));
  }
  return { columns, rows };
}

function Result({ results, as_json, onMore, busy }: { results: readonly QueryResult[]; as_json: boolean; onMore: (() => void) | null; busy: boolean }) {
  const last = results[results.length - 1]!;
  const all = merged(results);
  const rows = all?.rows ?? null;
  const whole = results.length === 1 ? last.answer : results.map((result) => result.answer);
  const json = stringifyExact(whole, 2);
  const table = rows !== null && !as_json;
  return (
    <section class="result" aria-label="Result">
      <header>
        <p role="status"><b class="number">{rows ? plural(rows.length, 'row') : 'Result'}</b> <span class="quiet number">{milliseconds(results.reduce((sum, result) => sum + result.ms, 0))} ms</span></p>
        {rows ? <div class="segments" role="group" aria-label="Show the result as">
          <button type="button" aria-pressed={table} onClick={() => setQuery({ as: undefined })}>Table</button>
          <button type="button" aria-pressed={!table} onClick={() => setQuery({ as: 'json' })}>JSON</button>
        </div> : null}
        <span class="space" />
        <Copy text={json} label="Copy JSON" title="Copy the result as JSON" />
        {rows ? <button type="button" onClick={() => download('result.csv', [all!.columns, ...rows].map((row) => row.map(cells).join(',')).join('\r\n') + '\r\n', 'text/csv')}>Download CSV</button> : null}
      </header>
      {table ? <ResultTable columns={all!.columns} rows={all!.rows} /> : <JsonView text={stringifyExact(whole)} label="Result as JSON" />}
      {onMore ? <button type="button" onClick={onMore} disabled={busy}>More rows</button> : null}
    </section>
  );
}

export function Console({ handle, query }: { handle: string; query: URLSearchParams }) {
  const tables = useLoad((signal) => api.tables(handle, signal), [handle]);
  const mode: Mode = (MODES.find(({ name }) => query.has(name)) ?? MODES.find(({ name }) => name === query.get('mode')))?.name ?? 'sql';
  const asked = query.get(mode) ?? '';
  const [text, setText] = useState(asked);
  const [results, setResults] = useState<QueryResult[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => { setText(asked); }, [asked, mode]);
  useKeys({ Escape: () => navigate(href('archive')) });

  const ask = async (cursor: string | null) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setBusy(true);
    try {
      const result = await api.query(handle, { [mode]: asked, ...(cursor ? { cursor } : {}) }, mine.signal);
      if (mine.signal.aborted) return;
      setResults((old) => (cursor ? [...old, result] : [result]));
      setError(null);
    } catch (cause) {
      if (!mine.signal.aborted) setError(asApiError(cause));
    } finally {
      if (!mine.signal.aborted) setBusy(false);
    }
  };
  // The gateway stops a query whose reader is gone.
  useEffect(() => () => running.current?.abort(), [handle]);
  useEffect(() => {
    if (asked) void ask(null);
    else {
      running.current?.abort();
      setResults([]);
      setError(null);
      setBusy(false);
    }
  }, [handle, mode, asked]);
  const pick = (sql: string) => setQuery({ ...NO_QUESTION, sql }, false);
  const submit = () => { if (text === asked) void ask(null); else setQuery({ ...NO_QUESTION, [mode]: text }, false); };
  const change = (name: Mode) => {
    setError(null);
    setQuery({ ...NO_QUESTION, mode: name === 'sql' ? undefined : name });
  };
  const first = tables.value?.tables[0];
  const entry = useLoad((signal) => api.archive({ handle, limit: 1 }, signal), [handle]).value?.entries[0];
  const narrow = useNarrow();
  return (
    <div class="console">
      <aside>
        <p class="crumbs"><a href={href('archive')}>Archive</a> <span aria-hidden="true">›</span> <b class="number">{handle}</b></p>
        {entry ? <p class="entry"><b>{entry.upstream ? <span class="quiet">{line(entry.upstream, 60)} / </span> : null}{line(entry.tool, 100)}</b>
          <span class="quiet number">archived <span title={exactly(entry.time)}>{relative(entry.time)}</span> · <span title="The whole result as the server sent it, in bytes. Pages of answers count the characters of its text">result of {bytes(entry.bytes)}</span> · expires <span title={exactly(entry.expires)}>{relative(entry.expires)}</span>{entry.last_answer ? <> · <a href={href('answers', entry.last_answer)}>open the answer</a></> : null}</span></p> : null}
        <details open={!narrow}><summary><h2>Tables</h2></summary>
        {tables.error ? <Failure error={tables.error} again={tables.again} /> : tables.value ? <TableList tables={tables.value.tables} onPick={pick} /> : <Loading what="tables" />}
        </details>
      </aside>
      <div class="console-main">
        <form onSubmit={(event) => { event.preventDefault(); submit(); }}>
          <div class="segments" role="group" aria-label="Kind of question">
            {MODES.map(({ name, label }) => <button key={name} type="button" aria-pressed={mode === name} onClick={() => change(name)}>{label}</button>)}
          </div>
          <p class="quiet">{MODES.find(({ name }) => name === mode)!.help}</p>
          <textarea data-filter aria-label={MODES.find(({ name }) => name === mode)!.label} rows={mode === 'sql' ? 3 : 1} value={text} spellcheck={false}
            placeholder={mode === 'sql' && first ? `select * from ${quoted(first.name)} limit 20` : MODES.find(({ name }) => name === mode)!.hint}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || mode !== 'sql')) { event.preventDefault(); submit(); } }} />
          <div class="form-end"><button type="submit" class="primary" disabled={busy || !text.trim()}>Run</button><span class="quiet keys"><kbd>Ctrl</kbd> <kbd>Enter</kbd></span>
            <span class="space" />{asked.trim() ? <Copy text={`enfold fetch ${handle} --${mode} '${asked.replaceAll("'", "'\\''")}'`} label="Copy shell command" /> : null}</div>
        </form>
        {error ? <Failure error={error} /> : null}
        {results.length && !error ? <Result results={results} as_json={query.get('as') === 'json'} busy={busy} onMore={results[results.length - 1]!.cursor ? () => { void ask(results[results.length - 1]!.cursor); } : null} />
          : !error && !busy ? <div class="console-hint">{tables.value ? <Starts tables={tables.value.tables} onPick={pick} /> : null}</div> : null}
      </div>
    </div>
  );
}
