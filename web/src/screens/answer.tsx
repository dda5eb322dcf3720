// SPDX-License-Identifier: Apache-2.0
// One answer: what the server sent beside what the model got, and what another limit would make of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import type { FitRequest, View } from '../api/types';
import { BeforeAfter } from '../parts/before_after';
import { line } from '../parts/format';
import { Refit } from '../parts/refit';
import { Copy, download, Empty, Failure, Loading } from '../parts/states';
import { Summary } from '../parts/summary';
import { answers } from '../state/answers';
import { useKeys } from '../state/keys';
import { asApiError, useLoad } from '../state/load';
import { href, navigate, setQuery } from '../state/route';
import { useLogin } from '../state/session';

// The settings of the address; null: as the answer was given.
function requested(query: URLSearchParams, view: View): FitRequest | null {
  if (!['tokens', 'client', 'contract', 'level'].some((name) => query.has(name))) return null;
  const client = (query.get('client') ?? view.settings.client).replace(/^none$/, '');
  const tokens = Number(query.get('tokens')) || (query.get('client') && client ? 0 : view.settings.target ?? view.settings.budget.tokens ?? view.before.size.tokens);
  return {
    ...(tokens ? { budget: { tokens } } : {}),
    client,
    contract: query.get('contract') ?? view.settings.contract,
    level: query.get('level') ?? view.settings.level,
  };
}

function useFit(id: number, original: View | null, query: URLSearchParams) {
  const [fitted, setFitted] = useState<View | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const key = original ? JSON.stringify(requested(query, original)) : 'null';
  useEffect(() => {
    const settings = JSON.parse(key) as FitRequest | null;
    if (!settings) {
      setFitted(null);
      setError(null);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.fit(id, settings, abort.signal).then(
        (view) => { setFitted(view); setError(null); },
        (cause: unknown) => { if (!abort.signal.aborted) setError(asApiError(cause)); });
    }, 60);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [id, key]);
  return { fitted, error };
}

function Buttons({ id, view, original, query }: { id: number; view: View; original: View; query: URLSearchParams }) {
  const [error, setError] = useState<ApiError | null>(null);
  const has_archive = useLogin()?.has_archive ?? false;
  const handle = original.handle ?? view.handle;
  const golden = async () => {
    const settings = requested(query, original) ?? { budget: { tokens: view.settings.budget.tokens ?? view.before.size.tokens }, client: view.settings.client, contract: view.settings.contract, level: view.settings.level };
    try {
      const found = await api.golden(id, settings);
      download(`${found.name}.json`, JSON.stringify(found, null, 2));
    } catch (cause) {
      setError(asApiError(cause));
    }
  };
  return (
    <div class="buttons">
      {original.handle && has_archive ? <a class="button" href={href('archive', original.handle)}>Open in archive</a>
        : <button type="button" disabled title="Only answers that were cut are archived">{handle && has_archive ? 'Would be archived' : 'Not archived'}</button>}
      <Copy text={view.commands.fit} label="Copy as command" />
      {view.commands.fetch ? <Copy text={view.commands.fetch} label="Copy fetch" /> : null}
      <button type="button" onClick={() => { void golden(); }} title="The files of a golden test, as tests/golden reads them">Save as golden test</button>
      {error ? <Failure error={error} /> : null}
    </div>
  );
}

function Notes({ view }: { view: View }) {
  return (
    <>
      {view.failure ? <p class="note w-failed-text"><b>{line(view.failure.kind, 60)}{view.failure.code ? ` · ${line(view.failure.code, 60)}` : ''}</b> {line(view.failure.message, 600)}</p> : null}
      {view.schema_note ? <p class="note">{line(view.schema_note, 400)}</p> : null}
      {view.warnings.length ? <details class="note"><summary>{view.warnings.length === 1 ? line(view.warnings[0]!.message, 200) : `${view.warnings.length} warnings`}</summary>
        <ul>{view.warnings.map((warning, index) => <li key={index}><code>{line(warning.code, 80)}</code> {line(warning.message, 600)}</li>)}</ul></details> : null}
    </>
  );
}

export function AnswerScreen({ id, query }: { id: number; query: URLSearchParams }) {
  const { value: original, error, again } = useLoad((signal) => api.answer(id, signal), [id]);
  const { fitted, error: fitError } = useFit(id, original, query);
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
  if (!original || (original.row && original.row.id !== id)) return <Loading what="the answer" />;
  const view = fitted ?? original;
  return (
    <div class="screen answer-screen">
      <div class="answer-head">
        <div>
          <p class="crumbs"><a href={href('answers')}>Answers</a> <span aria-hidden="true">›</span> <span class="number">{id}</span></p>
          <Summary view={view} />
        </div>
        <Buttons id={id} view={view} original={original} query={query} />
      </div>
      <Refit original={original} view={view} changed={fitted !== null} query={query} onChange={(changes) => setQuery(changes)} />
      {fitError ? <Failure error={fitError} /> : null}
      <Notes view={view} />
      <BeforeAfter key={id} view={view} />
    </div>
  );
}
