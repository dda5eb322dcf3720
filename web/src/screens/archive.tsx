// SPDX-License-Identifier: Apache-2.0
// The archived originals: what is there, by whom and how old; and questions to one of them.
import { useState } from 'preact/hooks';
import { api } from '../api/client';
import type { ArchiveEntry, Group } from '../api/types';
import { Bar } from '../parts/charts';
import { Console } from '../parts/console';
import { DataTable, type Column } from '../parts/data_table';
import { bytes, count, exactly, line, plural, relative } from '../parts/format';
import { useNarrow } from '../parts/media';
import { Empty, Failure, Loading } from '../parts/states';
import { useKeys } from '../state/keys';
import { useLoad } from '../state/load';
import { href, navigate, setQuery } from '../state/route';
import { useLogin } from '../state/session';

const UNKNOWN = '(unknown)';  // for the API the upstream of originals that no recent answer names
const upstreamOf = (group: Group) => group.upstream ?? UNKNOWN;
const nameOf = (group: Group) => (group.upstream ? `${group.upstream} / ${group.name}` : group.name || 'no owner');

interface GroupsProps {
  title: string;
  groups: readonly Group[];
  chosen?: (group: Group) => boolean;
  choose?: (group: Group) => Record<string, string | undefined>;  // the query that shows only this group
}

// Only what has something to compare.
function Groups({ title, groups, chosen, choose }: GroupsProps) {
  const used = groups.filter((group) => group.entries > 0);
  const most = used.reduce((high, group) => Math.max(high, group.bytes), 1);
  const shown = choose ? [...used].sort((a, b) => b.bytes - a.bytes) : used;
  if (used.length < 2 && !used.some((group) => chosen?.(group))) return null;
  return (
    <section class="groups">
      <h2>{title}</h2>
      <ul>{shown.slice(0, 6).map((group) => (
        <li key={nameOf(group)}>
          {choose ? <button type="button" class="text-button" aria-pressed={chosen?.(group) ?? false} onClick={() => setQuery({ ...choose(group), offset: undefined }, false)}>{line(nameOf(group), 60)}</button> : <span>{line(AGES[group.name] ?? group.name, 60)}</span>}
          <Bar value={group.bytes} most={most} />
          <span class="number quiet" title={`${plural(group.entries, 'original')}, opened ${count(group.opened ?? 0)}×`}>{bytes(group.bytes)} · {count(group.entries)}</span>
        </li>))}
      </ul>
      {used.length > 6 ? <p class="quiet">and {count(used.length - 6)} more</p> : null}
    </section>
  );
}

const AGES: Record<string, string> = { '1 h': 'under 1 h', '6 h': '1 to 6 h', '1 d': '6 to 24 h', '7 d': '1 to 7 d', older: 'over 7 d' };

const ORDERS = ['time', 'bytes', 'opened', 'answers'] as const;
type Order = (typeof ORDERS)[number];

const sorts = { number: true, sorts: true };
const columnsOf = (has_owners: boolean): readonly Column<ArchiveEntry>[] => [
  { name: 'handle', label: 'Handle', title: 'The number by which clients open the original; click to ask it', kind: () => 'handle', show: (entry) => <a class="number" href={href('archive', entry.handle)}>{entry.handle}</a> },
  { name: 'tool', label: 'Tool', title: 'Upstream and tool of the answer. After a restart of the gateway the upstream is not known', card: 'key',
    show: (entry) => <>{entry.upstream ? <span class="quiet">{line(entry.upstream, 40)} / </span> : null}{line(entry.tool, 80)}</> },
  { name: 'owner', label: 'Owner', title: 'The principal that may open it; without principals all clients may', optional: true, kind: () => 'quiet', show: (entry) => (has_owners && entry.owner ? line(entry.owner, 40) : null) },
  { name: 'time', label: 'Archived', title: 'When it was archived', ...sorts, show: (entry) => <span title={exactly(entry.time)}>{relative(entry.time)}</span> },
  { name: 'expires', label: 'Expires', title: 'When it is removed. The configuration sets how long originals are kept', number: true, kind: () => 'quiet', show: (entry) => <span title={exactly(entry.expires)}>{relative(entry.expires)}</span> },
  { name: 'bytes', label: 'Size', title: 'Bytes of the whole result, with its text and its structured content. The page of an answer counts the characters of its data alone', ...sorts, show: (entry) => bytes(entry.bytes) },
  { name: 'stored', label: 'Stored', title: 'Bytes that it takes in the archive, compressed', number: true, card: 'hide', kind: () => 'quiet', show: (entry) => bytes(entry.stored_bytes) },
  { name: 'answers', label: 'Answers', title: 'Recent answers with this original. Equal originals are archived once', ...sorts,
    show: (entry) => (entry.answers ? entry.last_answer ? <a href={href('answers', entry.last_answer)} title="Open the last of them">{count(entry.answers)}</a> : count(entry.answers) : null) },
  { name: 'opened', label: 'Opened', title: 'How often clients opened it since the start of the gateway', ...sorts, show: (entry) => (entry.opened ? `${count(entry.opened)}×` : null) },
];

function Entries({ entries, order, has_owners }: { entries: readonly ArchiveEntry[]; order: Order; has_owners: boolean }) {
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
  return <DataTable label="Archived answers" rows={all} columns={columnsOf(has_owners)} keyOf={(entry) => `${entry.owner} ${entry.handle}`} order={order} current={at} />;
}

const PAGE = 100;

function Overview({ query }: { query: URLSearchParams }) {
  const tool = query.get('tool') ?? '';
  const upstream = query.get('upstream') ?? '';
  const owner = query.get('owner') ?? '';
  const wanted = query.get('q') ?? '';
  const offset = Number(query.get('offset')) || 0;
  const order = ORDERS.find((name) => name === query.get('sort')) ?? 'time';
  const stats = useLoad((signal) => api.archiveStats(signal), [], 10_000);
  const list = useLoad((signal) => api.archive({ tool, upstream, owner, limit: PAGE, offset }, signal), [tool, upstream, owner, offset], 10_000);
  const narrow = useNarrow();
  const error = list.error ?? stats.error;
  if (error && (!list.value || !stats.value)) return <Failure error={error} again={() => { list.again(); stats.again(); }} />;
  if (!list.value || !stats.value) return <Loading what="the archive" />;
  if (!stats.value.entries) return <Empty title="The archive is empty"><p>An answer that is cut is archived whole first. It stays for the time that the configuration sets, and can be asked here.</p></Empty>;
  const entries = list.value.entries.filter((entry) => !wanted || `${entry.handle} ${entry.upstream ?? ''} ${entry.tool} ${entry.owner}`.toLowerCase().includes(wanted.toLowerCase()));
  const opened = stats.value.by_tool.reduce((sum, group) => sum + (group.opened ?? 0), 0);
  const chosen = (group: Group) => tool === group.name && upstream === upstreamOf(group);
  const groups = (
    <div class="group-row">
      <Groups title="By tool" groups={stats.value.by_tool} chosen={chosen} choose={(group) => (chosen(group) ? { tool: undefined, upstream: undefined } : { tool: group.name, upstream: upstreamOf(group) })} />
      <Groups title="By owner" groups={stats.value.by_owner} chosen={(group) => owner === group.name} choose={(group) => ({ owner: owner === group.name ? undefined : group.name })} />
      <Groups title="By age" groups={stats.value.by_age} />
    </div>);
  return (
    <>
      <div class="strip">
        <p><b class="number">{count(stats.value.entries)}</b><span class="quiet">{stats.value.entries === 1 ? 'original' : 'originals'}; equal ones are stored once</span></p>
        <p title="Answers since the start of the gateway, at most the newest 20,000, whose original is here"><b class="number">{count(stats.value.answers)}</b><span class="quiet">recent cut {stats.value.answers === 1 ? 'answer' : 'answers'}</span></p>
        <p><b class="number">{bytes(stats.value.bytes)}</b><span class="quiet">of data, {bytes(stats.value.stored_bytes)} stored</span></p>
        <p><b class="number">{count(opened)}×</b><span class="quiet">opened by clients</span></p>
      </div>
      {narrow ? <details class="more"><summary>By tool, owner, age</summary>{groups}</details> : groups}
      <div class="toolbar">
        <input type="search" data-filter placeholder="Filter, or a handle …" title="By tool, upstream, owner or handle. A handle and Enter open the original" aria-label="Filter archived answers" value={wanted} onInput={(event) => setQuery({ q: event.currentTarget.value })}
          onKeyDown={(event) => { if (event.key === 'Enter' && /^\d{6,}$/.test(event.currentTarget.value.trim())) navigate(href('archive', event.currentTarget.value.trim())); }} />
        {tool || owner ? <button type="button" onClick={() => setQuery({ tool: undefined, upstream: undefined, owner: undefined, offset: undefined }, false)}>Clear</button> : null}
        <span class="space" />
        {list.value.total > PAGE ? <>
          <button type="button" disabled={offset === 0} onClick={() => setQuery({ offset: offset > PAGE ? String(offset - PAGE) : undefined }, false)}>Newer</button>
          <span class="number quiet">{count(offset + 1)}–{count(Math.min(offset + PAGE, list.value.total))} of {count(list.value.total)}</span>
          <button type="button" disabled={offset + PAGE >= list.value.total} onClick={() => setQuery({ offset: String(offset + PAGE) }, false)}>Older</button>
        </> : <span class="quiet">{plural(list.value.total, 'original')}</span>}
      </div>
      {entries.length ? <Entries entries={entries} order={order} has_owners={stats.value.by_owner.length > 1} /> : <Empty title="No archived answer matches" />}
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
