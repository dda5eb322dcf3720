// SPDX-License-Identifier: Apache-2.0
// The servers behind the gateway, the sessions in front of it, and its configuration.
import { useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import type { ClientSession, Config, Upstream } from '../api/types';
import { Bar, Sparkline } from '../parts/charts';
import { count, line, moment, percent, plural, visible } from '../parts/format';
import { Copy, Empty, Failure, Loading } from '../parts/states';
import { asApiError, useLoad } from '../state/load';
import { href } from '../state/route';
import { session, useLogin } from '../state/session';

const tone = (state: string) => (state === 'ready' ? 'good' : state === 'idle' ? 'rest' : 'bad');

function Upstreams({ upstreams }: { upstreams: readonly Upstream[] }) {
  if (!upstreams.length) return <Empty title="No upstreams"><p>Add one to the configuration: <code>[upstreams.NAME]</code> with <code>command</code> or <code>url</code>.</p></Empty>;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Upstreams, table">
      <table class="data">
        <thead><tr><th scope="col">Upstream</th><th scope="col">State</th><th scope="col" title="The circuit breaker: closed lets calls through; open refuses calls to an upstream that failed several times in a row">Breaker</th><th scope="col" title="Family of protocol revisions: with sessions (up to 2025-11-25), or stateless (from 2026-07-28)">Era</th><th scope="col">Transport</th><th scope="col" class="number">Tools</th><th scope="col" class="number">Processes</th><th scope="col" class="number">Connections</th><th scope="col" class="number">Restarts</th><th scope="col" class="number">Failures</th></tr></thead>
        <tbody>{upstreams.map((one) => (
          <tr key={one.name}>
            <th scope="row"><a href={href('answers', null, { upstream: one.name })}>{line(one.name, 60)}</a></th>
            <td><span class={`state state-${tone(one.state)}`} title={one.last_failure ? line(one.last_failure, 600) : undefined}>{line(one.state === 'open' ? 'refusing calls' : one.state, 40)}</span>{one.last_failure && one.state !== 'ready' ? <span class="quiet"> {line(one.last_failure, 90)}</span> : null}</td>
            <td class={one.breaker === 'closed' ? 'quiet' : 't-what-failed'}>{line(one.breaker ?? '–', 40)}{one.failures_in_row ? ` · ${count(one.failures_in_row)} in a row` : ''}</td>
            <td class="quiet">{line(one.era || '–', 30)}</td><td class="quiet">{line(one.transport, 30)}</td>
            <td class="number">{count(one.tools)}</td><td class="number">{count(one.processes)}</td><td class="number">{count(one.connections)}</td>
            <td class={`number ${one.restarts ? 't-what-cut' : 'quiet'}`}>{one.restarts ? count(one.restarts) : '·'}</td>
            <td class={`number ${one.failures ? 't-what-failed' : 'quiet'}`}>{one.failures ? count(one.failures) : '·'}</td>
          </tr>))}
        </tbody>
      </table>
    </div>
  );
}

// Samples are running sums: what came from one to the next. Without a budget tokens are not counted.
function perSample(one: ClientSession): number[] {
  const sums = one.trend.map((sample) => (one.budget ? sample.used : sample.calls) ?? 0);
  return sums.map((sum, at) => Math.max(0, sum - (at ? sums[at - 1]! : 0)));
}

function Sessions({ sessions }: { sessions: readonly ClientSession[] }) {
  if (!sessions.length) return <Empty title="No sessions"><p>A session opens when a client connects. Stateless clients have none.</p></Empty>;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Sessions, table">
      <table class="data">
        <thead><tr><th scope="col">Client</th><th scope="col">Principal</th><th scope="col">Era</th><th scope="col" class="number">Opened</th><th scope="col" class="number">Last call</th><th scope="col" class="number">Calls</th><th scope="col">Budget</th><th scope="col">Tokens or calls per minute</th></tr></thead>
        <tbody>{sessions.map((one) => (
          <tr key={one.id}>
            <th scope="row"><a href={href('answers', null, { client: one.client })}>{line(one.client || 'unknown', 60)}</a></th>
            <td class="quiet">{line(one.principal ?? '–', 40)}</td><td class="quiet">{line(one.era ?? '–', 30)}</td>
            <td class="number">{moment(one.opened)}</td><td class="number">{moment(one.last_call)}</td><td class="number">{count(one.calls)}</td>
            <td class="wide">{one.budget ? <><span class="number">{count(one.budget.used)} <span class="quiet">of {count(one.budget.limit)} · {percent(one.budget.used, one.budget.limit)}</span></span><Bar value={one.budget.used} most={one.budget.limit} kind={one.budget.used > 0.9 * one.budget.limit ? 'cut' : 'plain'} /></> : <span class="quiet">no limit</span>}</td>
            <td class="wide"><Sparkline values={perSample(one)} label={`${one.budget ? 'Tokens' : 'Calls'} of ${one.client} over time`} empty="from the next minute" /></td>
          </tr>))}
        </tbody>
      </table>
    </div>
  );
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
  const sessions = useLoad((signal) => api.sessions(signal), [], 2000);
  const recording = useLogin()?.recording;
  return (
    <div class="screen page">
      <h1 class="sr-only">Upstreams and sessions</h1>
      <h2>Upstreams {upstreams.value ? <span class="quiet number">{count(upstreams.value.upstreams.length)}</span> : null}</h2>
      {upstreams.value ? <Upstreams upstreams={upstreams.value.upstreams} /> : upstreams.error ? <Failure error={upstreams.error} again={upstreams.again} /> : <Loading what="upstreams" />}
      <h2>Sessions {sessions.value ? <span class="quiet number">{count(sessions.value.sessions.length)}</span> : null}</h2>
      {sessions.value ? <Sessions sessions={sessions.value.sessions} /> : sessions.error ? <Failure error={sessions.error} again={sessions.again} /> : <Loading what="sessions" />}
      <h2>Configuration</h2>
      {recording ? <p class="quiet">{recording.is_on ? `Recent answers are recorded in memory: ${plural(recording.answers, 'answer')}, at most ${Math.round(recording.limit_bytes / 1e6)} MB. Nothing of it is written to disk.` : 'Recording is off: only answers that were cut can be looked at.'}</p> : null}
      <Configuration />
    </div>
  );
}
