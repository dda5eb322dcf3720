// SPDX-License-Identifier: Apache-2.0
// The archived originals: what is there, by whom and how old; and questions to one of them.
import { useState } from 'preact/hooks';
import { api } from '../api/client';
import type { ArchiveEntry, Group } from '../api/types';
import { Bar } from '../parts/charts';
import { Console } from '../parts/console';
import { bytes, count, line, moment, plural } from '../parts/format';
import { Empty, Failure, Loading } from '../parts/states';
import { useKeys } from '../state/keys';
import { useLoad } from '../state/load';
import { href, navigate, setQuery } from '../state/route';
import { useLogin } from '../state/session';

function Groups({ title, groups, name, current }: { title: string; groups: readonly Group[]; name?: 'tool' | 'owner'; current?: string | null }) {
  const most = groups.reduce((high, group) => Math.max(high, group.bytes), 1);
  return (
    <section class="groups">
      <h2>{title}</h2>
      {groups.length ? null : <p class="quiet">none</p>}
      <ul>{(name ? [...groups].sort((a, b) => b.bytes - a.bytes) : groups).slice(0, 6).map((group) => (
        <li key={group.name}>
          {name ? <button type="button" class="text-button" aria-pressed={!!current && current === group.name} onClick={() => setQuery({ [name]: current === group.name ? undefined : group.name, offset: undefined }, false)}>{line(group.name || 'no owner', 60)}</button> : <span>{line(AGES[group.name] ?? group.name, 60)}</span>}
          <Bar value={group.bytes} most={most} />
          <span class="number quiet">{bytes(group.bytes)} · {count(group.entries)}{group.opened ? ` · opened ${count(group.opened)}×` : ''}</span>
        </li>))}
      </ul>
      {groups.length > 6 ? <p class="quiet">and {count(groups.length - 6)} more</p> : null}
    </section>
  );
}

const AGES: Record<string, string> = { '1 h': 'under 1 h', '6 h': '1 to 6 h', '1 d': '6 to 24 h', '7 d': '1 to 7 d', older: 'over 7 d' };

type Order = 'time' | 'bytes' | 'opened';

function Entries({ entries, order }: { entries: readonly ArchiveEntry[]; order: Order }) {
  const [current, setCurrent] = useState<string | null>(null);
  const all = [...entries].sort((a, b) => order === 'time' ? b.time.localeCompare(a.time) : b[order] - a[order]);
  const at = all.findIndex((entry) => entry.handle === current);
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(index, all.length - 1));
    setCurrent(all[next]?.handle ?? null);
    document.querySelectorAll<HTMLElement>('[data-entry]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => choose(at + 1), k: () => choose(at - 1), ArrowDown: () => choose(at + 1), ArrowUp: () => choose(at - 1),
    Home: () => choose(0), End: () => choose(all.length - 1),
    Enter: (event) => { if (at < 0 || (event.target instanceof Element && event.target.closest('a, button'))) return false; navigate(href('archive', all[at]!.handle)); return true; },
  });
  const head = (name: Order, label: string) => <th scope="col" class="number" aria-sort={order === name ? 'descending' : undefined}><button type="button" class="sort" onClick={() => setQuery({ sort: name })}>{label}{order === name ? <span aria-hidden="true">↓</span> : null}</button></th>;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Archived answers, table">
      <table class="data">
        <thead><tr><th scope="col">Handle</th><th scope="col">Tool</th><th scope="col">Owner</th>{head('time', 'Archived')}<th scope="col" class="number">Expires</th>{head('bytes', 'Size')}<th scope="col" class="number">Stored</th>{head('opened', 'Opened')}</tr></thead>
        <tbody>{all.map((entry, index) => (
          <tr key={entry.handle} data-entry class={index === at ? 'is-current' : ''} aria-current={index === at ? 'true' : undefined}>
            <th scope="row" class="number"><a href={href('archive', entry.handle)}>{entry.handle}</a></th>
            <td>{line(entry.tool, 80)}</td><td class="quiet">{line(entry.owner || '–', 40)}</td>
            <td class="number">{moment(entry.time)}</td><td class="number quiet">{moment(entry.expires)}</td>
            <td class="number">{bytes(entry.bytes)}</td><td class="number quiet">{bytes(entry.stored_bytes)}</td>
            <td class={`number ${entry.opened ? '' : 'quiet'}`}>{entry.opened ? `${count(entry.opened)}×` : '·'}</td>
          </tr>))}
        </tbody>
      </table>
    </div>
  );
}

const PAGE = 100;

function Overview({ query }: { query: URLSearchParams }) {
  const tool = query.get('tool') ?? '';
  const owner = query.get('owner') ?? '';
  const wanted = query.get('q') ?? '';
  const offset = Number(query.get('offset')) || 0;
  const order = (['time', 'bytes', 'opened'] as const).find((name) => name === query.get('sort')) ?? 'time';
  const stats = useLoad((signal) => api.archiveStats(signal), [], 10_000);
  const list = useLoad((signal) => api.archive({ tool, owner, limit: PAGE, offset }, signal), [tool, owner, offset], 10_000);
  const error = list.error ?? stats.error;
  if (error && (!list.value || !stats.value)) return <Failure error={error} again={() => { list.again(); stats.again(); }} />;
  if (!list.value || !stats.value) return <Loading what="the archive" />;
  if (!stats.value.entries) return <Empty title="The archive is empty"><p>An answer that is cut is archived whole first. It stays for the time that the configuration sets, and can be asked here.</p></Empty>;
  const entries = list.value.entries.filter((entry) => !wanted || `${entry.handle} ${entry.tool} ${entry.owner}`.toLowerCase().includes(wanted.toLowerCase()));
  const opened = stats.value.by_tool.reduce((sum, group) => sum + (group.opened ?? 0), 0);
  return (
    <>
      <div class="strip">
        <p><b class="number">{count(stats.value.entries)}</b><span class="quiet">archived {stats.value.entries === 1 ? 'answer' : 'answers'}</span></p>
        <p><b class="number">{bytes(stats.value.bytes)}</b><span class="quiet">of originals, {bytes(stats.value.stored_bytes)} stored</span></p>
        <p><b class="number">{count(opened)}×</b><span class="quiet">opened again</span></p>
      </div>
      <div class="group-row">
        <Groups title="By tool" groups={stats.value.by_tool} name="tool" current={tool} />
        <Groups title="By owner" groups={stats.value.by_owner} name="owner" current={owner} />
        <Groups title="By age" groups={stats.value.by_age} />
      </div>
      <div class="toolbar">
        <input type="search" data-filter placeholder="Filter, or a handle and Enter …" aria-label="Filter archived answers" value={wanted} onInput={(event) => setQuery({ q: event.currentTarget.value })}
          onKeyDown={(event) => { if (event.key === 'Enter' && /^\d{6,}$/.test(event.currentTarget.value.trim())) navigate(href('archive', event.currentTarget.value.trim())); }} />
        {tool || owner ? <button type="button" onClick={() => setQuery({ tool: undefined, owner: undefined, offset: undefined }, false)}>Clear</button> : null}
        <span class="space" />
        {list.value.total > PAGE ? <>
          <button type="button" disabled={offset === 0} onClick={() => setQuery({ offset: offset > PAGE ? String(offset - PAGE) : undefined }, false)}>Newer</button>
          <span class="number quiet">{count(offset + 1)}–{count(Math.min(offset + PAGE, list.value.total))} of {count(list.value.total)}</span>
          <button type="button" disabled={offset + PAGE >= list.value.total} onClick={() => setQuery({ offset: String(offset + PAGE) }, false)}>Older</button>
        </> : <span class="quiet">{plural(list.value.total, 'entry', 'entries')}</span>}
      </div>
      {entries.length ? <Entries entries={entries} order={order} /> : <Empty title="No archived answer matches" />}
    </>
  );
}

export function ArchiveScreen({ handle, query }: { handle: string | null; query: URLSearchParams }) {
  const has_archive = useLogin()?.has_archive ?? true;
  if (!has_archive) return <Empty title="There is no archive"><p>Set <code>archive = "enfold-archive.db"</code> in the configuration, so that what is cut can be fetched.</p></Empty>;
  return (
    <div class="screen page">
      <h1 class="sr-only">Archive</h1>
      {handle ? <Console key={handle} handle={handle} query={query} /> : <Overview query={query} />}
    </div>
  );
}
