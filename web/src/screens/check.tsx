// SPDX-License-Identifier: Apache-2.0
// `enfold check` of an upstream: findings, and what changed since the run before.
import { useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import type { CheckRun, Finding } from '../api/types';
import { count, line, moment, plural } from '../parts/format';
import { Empty, Failure, Loading } from '../parts/states';
import { asApiError, useLoad } from '../state/load';
import { href, setQuery } from '../state/route';
import { useLogin } from '../state/session';

const ORDER = ['error', 'warning', 'note'];
const rank = (finding: Finding) => ORDER.indexOf(finding.severity);
const tone = (severity: string) => (severity === 'error' ? 'is-error' : severity === 'warning' ? 'is-warning' : '');
const same = (finding: Finding) => [finding.rule, finding.tool, finding.place, finding.message].join('\u0000');

// What one rule says about different answers of one tool has one advice.
function grouped(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = [finding.severity, finding.rule, finding.tool, finding.place, finding.hint].join('\u0000');
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

function Row({ findings, upstream, state }: { findings: readonly Finding[]; upstream: string; state: (finding: Finding) => 'new' | 'gone' | '' }) {
  const finding = findings[0]!;
  return (
    <li class={`finding ${tone(finding.severity)} ${state(finding) ? `is-${state(finding)}` : ''}`}>
      {findings.map((each) => <p key={each.message}><span class={`tag severity ${tone(each.severity)}`}>{line(each.severity, 20)}</span>{state(each) ? <span class={`tag change-${state(each)}`}>{state(each)}</span> : null}
        <b>{line(each.message, 600)}</b></p>)}
      <p class="quiet"><code>{line(finding.rule, 80)}</code>{finding.tool ? <> · <a href={href('tools', null, { q: finding.tool })}>{line(finding.tool, 100)}</a></> : null}
        {finding.place === RECORDED ? <> · <a href={href('answers', null, { upstream, tool: finding.tool })}>{findings.length > 1 ? 'different recorded answers' : RECORDED}</a></> : finding.place ? <> · <code>{line(finding.place, 200)}</code></> : null}</p>
      {finding.hint ? <p class="quiet"><WithCode text={line(finding.hint, 600)} /></p> : null}
    </li>
  );
}

const RECORDED = 'a recorded answer';  // the place of findings about them

// Text between backticks is code.
function WithCode({ text }: { text: string }) {
  return <>{text.split('`').map((piece, at) => (at % 2 ? <code key={at}>{piece}</code> : piece))}</>;
}

function Run({ run, wanted }: { run: CheckRun; wanted: string }) {
  const fresh = new Set((run.new ?? []).map(same));
  const text = (finding: Finding) => `${finding.rule} ${finding.tool} ${finding.message} ${finding.severity}`.toLowerCase();
  const findings = [...run.findings].filter((finding) => text(finding).includes(wanted)).sort((a, b) => rank(a) - rank(b) || a.tool.localeCompare(b.tool));
  return (
    <>
      <p class="quiet strip-line">{plural(run.counts.tools, 'definition')} of tools, {plural(run.counts.answers, 'recorded answer')} (of each tool at most the newest 20) and {plural(run.counts.calls, 'call')} were checked, each as the server sent it. What Enfold changes on the way to a client does not count here. Credentials are redacted before an answer is recorded, so the check cannot find them: <a href={href('answers', null, { upstream: run.upstream, what: 'redacted' })}>redacted answers</a>.</p>
      <p class="strip-line">{ORDER.map((severity) => ({ severity, number: run.findings.filter((finding) => finding.severity === severity).length })).filter(({ severity, number }) => number || severity === 'error')
          .map(({ severity, number }) => <span key={severity} class={`tag severity ${number ? tone(severity) : ''}`}>{plural(number, severity)}</span>)}
        {run.new?.length ? <span class="tag change-new">{count(run.new.length)} new</span> : null}{run.gone?.length ? <span class="tag change-gone">{count(run.gone.length)} gone</span> : null}</p>
      {run.not_called.length ? <details class="note"><summary>{plural(run.not_called.length, 'tool')} not called</summary>
        <ul>{run.not_called.map(({ tool, reason }) => <li key={tool}><code>{line(tool, 100)}</code> {line(reason, 300)}</li>)}</ul></details> : null}
      {run.findings.length ? null : <p class="note good">No findings: every rule holds.</p>}
      <ul class="findings">
        {grouped(findings).map((group, index) => <Row key={index} findings={group} upstream={run.upstream} state={(finding) => (fresh.has(same(finding)) ? 'new' : '')} />)}
        {grouped((run.gone ?? []).filter((finding) => text(finding).includes(wanted))).map((group, index) => <Row key={`gone-${index}`} findings={group} upstream={run.upstream} state={() => 'gone'} />)}
      </ul>
    </>
  );
}

export function CheckScreen({ query }: { query: URLSearchParams }) {
  const upstreams = useLogin()?.upstreams ?? [];
  const runs = useLoad((signal) => api.checks(signal), []);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const upstream = query.get('upstream') ?? upstreams[0] ?? '';
  const [call, setCall] = useState(false);
  const all = runs.value?.runs ?? [];
  const chosen = all.find((run) => String(run.id) === query.get('run')) ?? all.find((run) => run.upstream === upstream) ?? null;
  const start = async () => {
    setBusy(true);
    try {
      const run = await api.check(upstream, call);
      setFailure(null);
      runs.again();
      setQuery({ upstream, run: String(run.id) }, false);
    } catch (cause) {
      setFailure(asApiError(cause));
    } finally {
      setBusy(false);
    }
  };
  if (!upstreams.length) return <Empty title="No upstreams"><p>There is no server to check. <a href={href('upstreams')}>Upstreams</a></p></Empty>;
  return (
    <div class="screen page check-screen">
      <h1 class="sr-only">Check</h1>
      <form class="toolbar check-bar" onSubmit={(event) => { event.preventDefault(); void start(); }}>
        <select aria-label="Upstream to check" value={upstream} onChange={(event) => setQuery({ upstream: event.currentTarget.value, run: undefined }, false)}>{upstreams.map((name) => <option key={name} value={name}>{name}</option>)}</select>
        <label class="tick"><input type="checkbox" checked={call} onChange={(event) => setCall(event.currentTarget.checked)} /> also call read-only tools, with example arguments</label>
        <button type="submit" class="primary" disabled={busy}>{busy ? 'Checking …' : 'Run the check'}</button>
        <span class="space" />
        <input type="search" data-filter placeholder="Filter …" aria-label="Filter findings" value={query.get('q') ?? ''} onInput={(event) => setQuery({ q: event.currentTarget.value })} />
      </form>
      {failure ? <Failure error={failure} /> : null}
      {runs.error && !runs.value ? <Failure error={runs.error} again={runs.again} /> : !runs.value ? <Loading what="runs" /> : (
        <div class={`check-columns ${all.length > 1 ? '' : 'has-one'}`}>
          <section aria-label="Findings">
            {chosen ? <><h2>{line(chosen.upstream, 60)} <span class="quiet number">{moment(chosen.time)}</span></h2><Run run={chosen} wanted={(query.get('q') ?? '').toLowerCase()} /></>
              : <Empty title={`${upstream} was not checked yet`}><p>The check reads the definitions of its tools, their schemas and what they cost, and says what clients and models will stumble over. It changes nothing.</p></Empty>}
          </section>
          <aside aria-label="History">
            <h2>History</h2>
            {all.length ? <ol class="history">{all.map((run) => (
              <li key={run.id}><a href={href('check', null, { upstream: run.upstream, run: String(run.id) })} aria-current={run === chosen ? 'true' : undefined}>
                <span>{line(run.upstream, 40)}</span><span class="number quiet">{moment(run.time)}</span>
                <span class="number">{plural(run.findings.length, 'finding')}{run.new?.length ? <span class="t-what-cut"> +{run.new.length}</span> : null}{run.gone?.length ? <span class="good-text"> −{run.gone.length}</span> : null}</span>
              </a></li>))}</ol> : <p class="quiet">Runs appear here, with what changed.</p>}
          </aside>
        </div>)}
    </div>
  );
}
