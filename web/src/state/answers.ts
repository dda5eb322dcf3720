// SPDX-License-Identifier: Apache-2.0
// The list of answers: what the API has for the filter, and the rows of the event stream that match it.
// At most MAX_ROWS are kept. While paused, new rows wait and are counted.
import { api } from '../api/client';
import type { Row } from '../api/types';
import { asApiError } from './load';
import { session } from './session';
import { Signal } from './signal';
import type { ApiError } from '../api/client';

export const MAX_ROWS = 10_000;
const PAGE = 1000;

export interface Filter {
  q?: string;
  client?: string;
  principal?: string;
  upstream?: string;
  tool?: string;
  what?: string;
  outcome?: string;
}
export const FILTERS = ['q', 'client', 'principal', 'upstream', 'tool', 'what', 'outcome'] as const;

export interface List {
  rows: readonly Row[];  // newest first
  waiting: number;
  has_more: boolean;
  paused: boolean;
  busy: boolean;
  missed: number;  // rows that the stream left out because there were too many
  error: ApiError | null;
}

export function matches(row: Row, filter: Filter): boolean {
  for (const name of ['client', 'principal', 'upstream', 'tool', 'outcome'] as const) {
    if (filter[name] && row[name] !== filter[name]) return false;
  }
  if (filter.what && !row.what.includes(filter.what as Row['what'][number])) return false;
  if (!filter.q) return true;
  const wanted = filter.q.toLowerCase();
  return [row.tool, row.upstream, row.client, row.principal, row.handle, row.request_id, row.error, row.kind]
    .some((text) => text?.toLowerCase().includes(wanted));
}

const NOTHING: List = { rows: [], waiting: 0, has_more: false, paused: false, busy: true, missed: 0, error: null };

class AnswersState extends Signal<List> {
  private filter: Filter = {};
  private pending: Row[] = [];
  private loading: AbortController | null = null;
  private known = '';

  constructor() {
    super(NOTHING);
  }

  // Another process may answer after the next login, with other answers under the same ids.
  reset(): void {
    this.loading?.abort();
    this.loading = null;
    this.pending = [];
    this.known = '';
    this.set({ ...NOTHING, paused: this.get().paused });
  }

  show(filter: Filter): void {
    const key = JSON.stringify(filter);
    if (key === this.known) return;
    this.known = key;
    this.filter = filter;
    void this.load();
  }

  async load(): Promise<void> {
    this.loading?.abort();
    const abort = new AbortController();
    this.loading = abort;
    this.pending = [];
    this.set({ ...this.get(), busy: true, waiting: 0 });
    try {
      const found = await api.answers({ ...this.filter, limit: PAGE }, abort.signal);
      if (abort.signal.aborted) return;
      const rows = merged(this.taken(), found.answers);
      this.set({ ...this.get(), rows, has_more: found.has_more, busy: false, error: null, missed: 0, waiting: this.pending.length });
    } catch (cause) {
      if (abort.signal.aborted) return;
      const error = asApiError(cause);
      if (error.status === 401) session.lost();
      this.set({ ...this.get(), busy: false, error });
    }
  }

  async catchUp(): Promise<void> {
    const { filter } = this;
    const newest = this.get().rows[0]?.id;
    if (newest === undefined) return this.load();
    try {
      const found = await api.answers({ ...filter, limit: PAGE, after: newest });
      if (filter !== this.filter) return undefined;
      if (found.has_more) return this.load();
      this.arrive(found.answers, 0);
    } catch { /* the next event of the stream, or its loss, says what is wrong */ }
  }

  async older(): Promise<void> {
    const list = this.get();
    const last = list.rows[list.rows.length - 1];
    if (!last || !list.has_more || list.busy || list.rows.length >= MAX_ROWS) return;
    const abort = new AbortController();
    this.loading = abort;
    this.set({ ...list, busy: true });
    try {
      const found = await api.answers({ ...this.filter, limit: PAGE, before: last.id }, abort.signal);
      if (abort.signal.aborted) return;
      const rows = [...this.get().rows, ...found.answers.filter((row) => row.id < last.id)];
      this.set({ ...this.get(), rows: merged(this.taken(), rows), has_more: found.has_more, busy: false });
    } catch (cause) {
      if (abort.signal.aborted) return;
      this.set({ ...this.get(), rows: merged(this.taken(), this.get().rows), busy: false, error: asApiError(cause) });
    }
  }

  // The rows that came while others were loaded; those that a pause holds back stay.
  private taken(): Row[] {
    if (this.get().paused) return [];
    const rows = this.pending;
    this.pending = [];
    return rows;
  }

  // Rows of one batch, oldest or newest first.
  arrive(rows: readonly Row[], dropped: number): void {
    const found = rows.filter((row) => matches(row, this.filter)).sort((a, b) => b.id - a.id);
    const list = this.get();
    if (list.paused || list.busy) {
      this.pending = [...found, ...this.pending].slice(0, MAX_ROWS);
      if (list.paused) this.set({ ...list, waiting: this.pending.length, missed: list.missed + dropped });
      return;
    }
    if (found.length || dropped) this.set({ ...list, rows: merged(found, list.rows), missed: list.missed + dropped });
  }

  // The tokens of one answer were counted: its row shows them in place of estimates.
  counted(id: number, tokens_before: number, tokens_after: number): void {
    const list = this.get();
    const at = list.rows.findIndex((row) => row.id === id);
    if (at < 0) return;
    const rows = [...list.rows];
    rows[at] = { ...rows[at]!, tokens_before, tokens_after, exact: true };
    this.set({ ...list, rows });
  }

  pause(paused: boolean): void {
    const list = this.get();
    if (paused) {
      this.set({ ...list, paused });
      return;
    }
    const rows = merged(this.pending, list.rows);
    this.pending = [];
    this.set({ ...list, paused, rows, waiting: 0 });
  }
}

function merged(fresh: readonly Row[], rows: readonly Row[]): Row[] {
  const newest = rows[0]?.id ?? -1;
  if (fresh.every((row) => row.id > newest)) return [...fresh, ...rows].slice(0, MAX_ROWS);
  const known = new Set(rows.map((row) => row.id));
  return [...fresh.filter((row) => !known.has(row.id)), ...rows].sort((a, b) => b.id - a.id).slice(0, MAX_ROWS);
}

export const answers = new AnswersState();
