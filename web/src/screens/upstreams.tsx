// SPDX-License-Identifier: Apache-2.0
// The servers behind the gateway, the sessions in front of it, and its configuration.
import { useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import type { ClientSession, Config, Tool, Upstream } from '../api/types';
import { Bar, Sparkline } from '../parts/charts';
import { DataTable, type Column } from '../parts/data_table';
import { bytes, count, exactly, line, percent, plural, relative, visible } from '../parts/format';
import { Copy, Empty, Failure, Loading } from '../parts/states';
import { asApiError, useLoad } from '../state/load';
import { href } from '../state/route';
import { session, useLogin } from '../state/session';

const PROTOCOL = 'Family of revisions of the protocol: with sessions (up to 2025-11-25), or stateless (from 2026-07-28)';
const tone = (state: string) => (state === 'ready' ? 'good' : state === 'idle' ? 'rest' : 'bad');

const number = { number: true };
const UPSTREAM_COLUMNS: readonly Column<Upstream & { failed_answers: number }>[] = [
  { name: 'name', label: 'Upstream', title: 'Name in the configuration; click to see its answers', show: (one) => <a href={href('answers', null, { upstream: one.name })}>{line(one.name, 60)}</a> },
  { name: 'state', label: 'State', title: 'ready: connected. idle: starts with the next call. refusing calls: the circuit breaker is open', card: 'key',
    show: (one) => <><span class={`state state-${tone(one.state)}`} title={one.last_failure ? line(one.last_failure, 600) : undefined}>{line(one.state === 'open' ? 'refusing calls' : one.state, 40)}</span>{one.last_failure && one.state !== 'ready' ? <span class="quiet"> {line(one.last_failure, 90)}</span> : null}</> },
  { name: 'circuit', label: 'Circuit', title: 'The circuit breaker. ok: it lets calls through. open: it refuses calls, because several in a row failed', kind: (one) => (one.breaker === 'closed' ? 'quiet' : 't-what-failed'),
    show: (one) => `${one.breaker === 'closed' ? 'ok' : line(one.breaker ?? '–', 40)}${one.failures_in_row ? ` · ${count(one.failures_in_row)} in a row failed` : ''}` },
  { name: 'protocol', label: 'Protocol', title: PROTOCOL, optional: true, kind: () => 'quiet', show: (one) => (one.era ? line(one.era, 30) : null) },
  { name: 'transport', label: 'Transport', title: 'stdio: a process that the gateway starts. http: a server with an address', kind: () => 'quiet', show: (one) => line(one.transport, 30) },
  { name: 'tools', label: 'Tools', title: 'Tools that it lists', ...number, show: (one) => count(one.tools) },
  { name: 'processes', label: 'Processes', title: 'Running processes of a stdio server', ...number, show: (one) => (one.processes ? count(one.processes) : null) },
  { name: 'connections', label: 'Connections', title: 'Open connections', ...number, card: 'hide', show: (one) => count(one.connections) },
  { name: 'restarts', label: 'Restarts', title: 'How often a process was started again', ...number, kind: (one) => (one.restarts ? 't-what-failed' : ''), show: (one) => count(one.restarts) },
  { name: 'failures', label: 'Transport failures', title: 'Calls and connections that failed because the process or the connection did', ...number, kind: (one) => (one.failures ? 't-what-failed' : ''), show: (one) => count(one.failures) },
  { name: 'answers', label: 'Failed answers', title: 'Calls that a tool of the upstream reported as failed; click to see them', ...number, kind: (one) => (one.failed_answers ? 't-what-failed' : ''),
    show: (one) => (one.failed_answers ? <a href={href('answers', null, { upstream: one.name, what: 'failed' })}>{count(one.failed_answers)}</a> : count(one.failed_answers)) },
];

function Upstreams({ upstreams, tools }: { upstreams: readonly Upstream[]; tools: readonly Tool[] }) {
  if (!upstreams.length) return <Empty title="No upstreams"><p>Add one to the configuration: <code>[upstreams.NAME]</code> with <code>command</code> or <code>url</code>.</p></Empty>;
  return <DataTable label="Upstreams" rows={upstreams.map((one) => ({ ...one, failed_answers: tools.reduce((sum, tool) => sum + (tool.upstream === one.name ? tool.failed : 0), 0) }))} columns={UPSTREAM_COLUMNS} keyOf={(one) => one.name} />;
}

// Samples are running sums: what came from one to the next. Without a budget tokens are not counted.
function perSample(one: ClientSession): number[] {
  const sums = one.trend.map((sample) => (one.budget ? sample.used : sample.calls) ?? 0);
  return sums.map((sum, at) => Math.max(0, sum - (at ? sums[at - 1]! : 0)));
}

const allowance = (one: ClientSession) => {
  const { used, limit } = one.budget!;
  return <><span class="number">{count(used)} <span class="quiet">of {count(limit)} · {percent(used, limit)}</span></span><Bar value={used} most={limit} kind={used > 0.9 * limit ? 'failed' : 'plain'} /></>;
};

function sessionColumns(has_budget: boolean): Column<ClientSession>[] {
  return [
    { name: 'client', label: 'Client', title: 'Name and version; click to see its answers', show: (one) => <a href={href('answers', null, { client: one.client })}>{line(one.client || 'unknown', 60)}</a> },
    { name: 'principal', label: 'User', title: 'The principal of the configuration whose key the client has', optional: true, kind: () => 'quiet', show: (one) => (one.principal ? line(one.principal, 40) : null) },
    { name: 'protocol', label: 'Protocol', title: PROTOCOL, kind: () => 'quiet', card: 'hide', show: (one) => (one.era ? line(one.era, 30) : null) },
    { name: 'opened', label: 'Opened', title: 'When the session began', ...number, show: (one) => <span title={exactly(one.opened)}>{relative(one.opened)}</span> },
    { name: 'last', label: 'Last call', title: 'When its last call began', ...number, show: (one) => (one.last_call ? <span title={exactly(one.last_call)}>{relative(one.last_call)}</span> : null) },
    { name: 'calls', label: 'Calls', title: 'Calls of the session', ...number, show: (one) => count(one.calls) },
    { name: 'allowance', label: 'Session allowance', title: 'Tokens that all answers of the session together may have (session_budget). The limit of one answer is another setting', wide: true, optional: true, show: (one) => (one.budget ? allowance(one) : null) },
    { name: 'trend', label: has_budget ? 'Tokens per minute' : 'Calls per minute', title: 'The last 60 minutes, the newest at the right', wide: true, card: 'hide',
      show: (one) => (one.trend.length ? <Sparkline values={perSample(one)} label={`${one.budget ? 'Tokens' : 'Calls'} of ${one.client} over time`} empty="" /> : <span class="quiet">not a minute old</span>) },
  ];
}

function Sessions({ sessions }: { sessions: readonly ClientSession[] }) {
  if (!sessions.length) return <Empty title="No sessions"><p>A session opens when a client connects. Stateless clients have none.</p></Empty>;
  const has_budget = sessions.some((one) => one.budget);
  return <DataTable label="Sessions" rows={sessions} columns={sessionColumns(has_budget)} keyOf={(one) => one.id} />;
}

// The line of a place such as "enfold.toml, line 12, column 3"; 0 if it names none.
const lineOf = (where: string): number => Number(/line (\d+)/.exec(where)?.[1] ?? /:(\d+)(?::\d+)?$/.exec(where)?.[1] ?? 0);

function Configuration() {
  const can_reload = useLogin()?.can_reload ?? false;
  const { value, error, again } = useLoad((signal) => api.config(signal), []);
  const [checked, setChecked] = useState<Config | null>(null);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<Config>) => {
    setBusy(true);
    try {
      const result = await work();
      setChecked(result);
      setFailure(null);
      if (result.applied) {
        again();
        void session.refresh();
      }
    } catch (cause) {
      setFailure(asApiError(cause));
    } finally {
      setBusy(false);
    }
  };
  if (error && !value) return <Failure error={error} again={again} />;
  if (!value) return <Loading what="the configuration" />;
  const config = checked ?? value;
  const wrong = new Set(config.problems.map((problem) => lineOf(problem.where)));
  return (
    <>
      <div class="toolbar">
        <span class="quiet">{config.path ? <code>{line(config.path, 200)}</code> : 'from the command line'}</span><span class="space" />
        <button type="button" disabled={busy || !config.path} onClick={() => { void run(api.checkConfig); }}>Check the file</button>
        <button type="button" disabled={busy || !can_reload} title={can_reload ? 'Read the file again and use it' : 'This gateway was started without a configuration file'} onClick={() => { void run(api.reloadConfig); }}>Reload</button>
      </div>
      {failure ? <Failure error={failure} /> : null}
      <div role="status">{checked && !config.problems.length ? <p class="note good">{checked.applied ? 'Reloaded: the file is in use.' : 'No problems. Reload to use it.'}</p> : null}</div>
      {config.problems.length ? <ul class="findings">{config.problems.map((problem, index) => (
        <li key={index} class="finding is-error"><p><b>{line(problem.message, 400)}</b> <code class="quiet">{line(problem.where, 200)}</code></p>{problem.hint ? <p class="quiet">{line(problem.hint, 400)}</p> : null}</li>))}</ul> : null}
      {config.text ? <div class="snippet config" tabIndex={0} role="region" aria-label="Configuration, text">
        <ol>{config.text.replace(/\n$/, '').split('\n').map((text, index) => <li key={index} class={wrong.has(index + 1) ? 'is-wrong' : /^\s*#/.test(text) ? 'quiet' : ''}><code>{visible(text) || ' '}</code></li>)}</ol>
        <Copy text={config.text} />
      </div> : null}
    </>
  );
}

export function UpstreamsScreen() {
  const upstreams = useLoad((signal) => api.upstreams(signal), [], 2000);
  const tools = useLoad((signal) => api.tools(signal), [], 5000);
  const sessions = useLoad((signal) => api.sessions(signal), [], 2000);
  const login = useLogin();
  const recording = login?.recording;
  const archive = useLoad((signal) => (login?.has_archive ? api.archiveStats(signal) : Promise.resolve(null)), [login?.has_archive], 10_000).value;
  return (
    <div class="screen page">
      <h1 class="sr-only">Upstreams and sessions</h1>
      <h2>Upstreams {upstreams.value ? <span class="quiet number">{count(upstreams.value.upstreams.length)}</span> : null}</h2>
      {upstreams.value ? <Upstreams upstreams={upstreams.value.upstreams} tools={tools.value?.tools ?? []} /> : upstreams.error ? <Failure error={upstreams.error} again={upstreams.again} /> : <Loading what="upstreams" />}
      <h2>Sessions {sessions.value ? <span class="quiet number">{count(sessions.value.sessions.length)}</span> : null}</h2>
      {sessions.value ? <Sessions sessions={sessions.value.sessions} /> : sessions.error ? <Failure error={sessions.error} again={sessions.again} /> : <Loading what="sessions" />}
      <h2>Configuration</h2>
      {recording ? <p class="quiet">{recording.is_on ? `Recent answers are kept in memory only: ${plural(recording.answers, 'answer')}, at most ${Math.round(recording.limit_bytes / 1e6)} MB. A restart forgets them.` : 'Recording is off: only answers that were cut can be looked at.'}
        {!login?.has_archive ? ' There is no archive: what is cut from an answer is not kept.' : archive ? <> The originals of answers that were cut are in the <a href={href('archive')}>archive</a>: {plural(archive.entries, 'original')}, {bytes(archive.stored_bytes)}.</> : null}</p> : null}
      <Configuration />
    </div>
  );
}
