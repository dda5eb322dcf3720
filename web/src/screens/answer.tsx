// SPDX-License-Identifier: Apache-2.0
// One answer: what the server sent beside what the model got, and what another limit would make of it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import type { FitRequest, View } from '../api/types';
import { BeforeAfter } from '../parts/before_after';
import { saveFile } from '../parts/save_file';
import { clock, line } from '../parts/format';
import { useNarrow } from '../parts/media';
import { Refit } from '../parts/refit';
import { Copy, download, Empty, Failure, Loading } from '../parts/states';
import { Summary } from '../parts/summary';
import { answers } from '../state/answers';
import { useKeys } from '../state/keys';
import { asApiError, useLoad } from '../state/load';
import { href, navigate, setQuery } from '../state/route';
import { useLogin } from '../state/session';

// Only a chosen target limits the answer anew; another contract or level has the limits that it had.
function budgetOf(query: URLSearchParams, view: View, client: string): Pick<FitRequest, 'budget'> {
  const tokens = Number(query.get('tokens'));
  if (tokens) return { budget: { tokens } };
  if (query.get('client') && client) return {};
  const { budget, target } = view.settings;
  return { budget: {
    tokens: budget.tokens ?? view.before.size.tokens,
    ...(target ? { target } : {}),
    ...(budget.characters ? { characters: budget.characters } : {}),
    ...(budget.lines ? { lines: budget.lines } : {}),
  } };
}

// The settings of the address; null: as the answer was given.
function requested(query: URLSearchParams, view: View): FitRequest | null {
  if (!['tokens', 'client', 'contract', 'level'].some((name) => query.has(name))) return null;
  const client = (query.get('client') ?? view.settings.client).replace(/^none$/, '');
  return {
    ...budgetOf(query, view, client),
    client,
    contract: query.get('contract') ?? view.settings.contract,
    level: query.get('level') ?? view.settings.level,
  };
}

const NO_ORIGINAL = 'Enfold wrote this answer itself, so there is no original of a server';

// An original that expired, or was removed, cannot be fetched any more.
const withoutArchive = (view: View): View => ({ ...view, handle: null, gone: view.handle, commands: { ...view.commands, fetch: null } });

function useFit(id: number, original: View | null, query: URLSearchParams) {
  const [state, setState] = useState<{ id: number; view: View | null; error: ApiError | null }>({ id, view: null, error: null });
  const key = original ? JSON.stringify(requested(query, original)) : 'null';
  useEffect(() => {
    const settings = JSON.parse(key) as FitRequest | null;
    if (!settings) {
      setState({ id, view: null, error: null });
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.fit(id, settings, abort.signal).then(
        (view) => setState({ id, view, error: null }),
        (cause: unknown) => { if (!abort.signal.aborted) setState((old) => ({ id, view: old.id === id ? old.view : null, error: asApiError(cause) })); });
    }, 60);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [id, key]);
  // While one answer is fitted to other settings its last fit stays; that of another answer is never shown.
  return state.id === id ? { fitted: state.view, error: state.error } : { fitted: null, error: null };
}

function Buttons({ id, view, original, query, expires }: { id: number; view: View; original: View; query: URLSearchParams; expires: string | null }) {
  const [error, setError] = useState<ApiError | null>(null);
  const has_archive = useLogin()?.has_archive ?? false;
  const golden = async () => {
    const settings = requested(query, original) ?? { ...budgetOf(query, view, view.settings.client), client: view.settings.client, contract: view.settings.contract, level: view.settings.level };
    try {
      const found = await api.golden(id, settings);
      download(`${found.name}.json`, JSON.stringify(found, null, 2));
    } catch (cause) {
      setError(asApiError(cause));
    }
  };
  return (
    <div class="buttons">
      {original.handle ? <a class="button" href={href('archive', original.handle)} title="Tables and columns of the whole original, and questions to it">Open in archive</a>
        : <button type="button" disabled title={original.gone ? 'The original expired or was removed' : has_archive ? 'Only answers that were cut are archived' : 'This gateway has no archive'}>{original.gone ? 'Not in the archive any more' : view.fits || !original.fits || !has_archive ? 'Not archived' : 'Would be archived'}</button>}
      {original.has_original ? <Copy text={view.commands.fit} label="Copy shell command" title={`Fits the original with these settings: ${view.commands.fit}`} />
        : <button type="button" disabled title={NO_ORIGINAL}>Copy shell command</button>}
      {view.commands.fetch ? <Copy text={view.commands.fetch} label="Copy fetch call" title={`Reads the original: ${view.commands.fetch}`} /> : null}
      <button type="button" disabled={!original.has_original} onClick={() => { void golden(); }} title={original.has_original ? 'Input, arguments and result as a golden test, in the form that tests/golden reads' : NO_ORIGINAL}>Save as test</button>
      <button type="button" onClick={() => { saveFile(view, expires).catch((cause: unknown) => setError(asApiError(cause))); }} title="What this page shows, as one HTML file that needs no gateway">Save as file</button>
      {error ? <Failure error={error} /> : null}
    </div>
  );
}

// Warnings of the severity info tell the model what is missing. The page says that itself.
function Notes({ view }: { view: View }) {
  const warnings = view.warnings.filter(({ severity }) => severity !== 'info');
  return (
    <>
      {view.failure ? <p class="note w-failed-text"><b>{line(view.failure.kind, 60)}{view.failure.code ? ` · ${line(view.failure.code, 60)}` : ''}</b> {line(view.failure.message, 600)}</p> : null}
      {view.schema_note ? <p class="note">{line(view.schema_note, 400)}</p> : null}
      {warnings.length ? <details class="note"><summary>{warnings.length === 1 ? line(warnings[0]!.message, 200) : `${warnings.length} warnings`}</summary>
        <ul>{warnings.map((warning, index) => <li key={index}><code>{line(warning.code, 80)}</code> {line(warning.message, 600)}</li>)}</ul></details> : null}
    </>
  );
}

export function AnswerScreen({ id, query }: { id: number; query: URLSearchParams }) {
  const { value, error, again } = useLoad((signal) => api.answer(id, signal), [id]);
  const loaded = value && (!value.row || value.row.id === id) ? value : null;
  const has_archive = useLogin()?.has_archive ?? false;
  const archived = loaded?.handle ?? null;
  const found = useLoad((signal) => (archived && has_archive ? api.archive({ handle: archived, limit: 1 }, signal) : Promise.resolve(null)), [archived, has_archive]);
  const entry = found.value?.entries[0] ?? null;
  const is_gone = archived !== null && (has_archive ? found.value !== null && entry === null : true);
  const original = useMemo(() => (loaded && is_gone ? withoutArchive(loaded) : loaded), [loaded, is_gone]);
  const { fitted: fit, error: fitError } = useFit(id, original?.has_original ? original : null, query);
  const fitted = useMemo(() => (fit && is_gone ? withoutArchive(fit) : fit), [fit, is_gone]);
  // The list has estimates; here the tokens were counted.
  useEffect(() => { if (original?.given) answers.counted(id, original.before.size.tokens, original.after.size.tokens); }, [id, original]);
  const narrow = useNarrow();
  const came_from_list = useRef(answers.get().rows.length > 0);
  const step = (by: number) => {
    const rows = answers.get().rows;
    const at = rows.findIndex((row) => row.id === id);
    const next = at < 0 ? undefined : rows[at + by];
    if (next) navigate(href('answers', next.id), true);
  };
  useKeys({
    Escape: () => (history.length > 1 && came_from_list.current ? history.back() : navigate(href('answers'))),
    '[': () => step(1), ']': () => step(-1),
  });
  if (error && !original) {
    return error.status === 404
      ? <Empty title="This answer is not recorded any more"><p>{line(error.hint ?? error.message, 300)}</p><p><a href={href('answers')}>All answers</a></p></Empty>
      : <Failure error={error} again={again} />;
  }
  if (!original) return <Loading what="the answer" />;
  const view = fitted ?? original;
  const buttons = <Buttons id={id} view={view} original={original} query={query} expires={entry?.expires ?? null} />;
  const refit = !original.has_original ? <p class="note">{NO_ORIGINAL}. There is nothing to fit again.</p> : <Refit original={original} view={view} changed={fitted !== null} query={query} onChange={(changes) => setQuery(changes)} />;
  return (
    <div class="screen answer-screen">
      <div class="answer-head">
        {narrow ? null : buttons}
        <div>
          <p class="crumbs"><a href={href('answers')}>Answers</a> <span aria-hidden="true">›</span> <span class="number">{original.row ? clock(original.row.time) : id}</span></p>
          <Summary view={view} original={original} entry={entry} has_archive={has_archive} />
        </div>
      </div>
      {narrow ? <details class="more"><summary>Try other limits, copy, save</summary>{refit}{buttons}</details> : refit}
      {fitError ? <Failure error={fitError} /> : null}
      {original.given ? null : <p class="note">The answer itself is not recorded any more. This is its original from the archive, fitted again to the budget, client, contract and level of the call.</p>}
      <Notes view={view} />
      <BeforeAfter key={id} view={view} archive={entry ? archived : null} />
    </div>
  );
}
