// SPDX-License-Identifier: Apache-2.0
// Requests to the admin API. Every one is of the page's own origin.
import { parseExact, stringifyExact } from './exact';
import type * as T from './types';

const ROOT = '/api/v1';
let csrf = '';

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly hint?: string) {
    super(message);
  }
}

async function failure(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string; hint?: string } };
    return new ApiError(response.status, error.code, error.message, error.hint);
  } catch {
    return new ApiError(response.status, 'http', `The gateway replied with status ${response.status}.`);
  }
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['X-Enfold-Csrf'] = csrf;
  try {
    return await fetch(ROOT + path, {
      method, headers, credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', 'The gateway does not answer.', 'Check that enfold serve still runs.');
  }
}

async function request<V>(method: string, path: string, body?: unknown, signal?: AbortSignal, parse: (text: string) => unknown = JSON.parse): Promise<V> {
  let response = await send(method, path, body, signal);
  if (response.status === 403 && method !== 'GET' && csrf) {
    // A login in another tab has changed the session that the browser sends.
    await api.session();
    response = await send(method, path, body, signal);
  }
  if (!response.ok) throw await failure(response);
  const text = await response.text();
  return (text ? parse(text) : null) as V;
}

export function query(values: Record<string, string | number | undefined>): string {
  const used = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  if (!used.length) return '';
  return '?' + new URLSearchParams(used.map(([name, value]) => [name, String(value)])).toString();
}

const get = <V>(path: string, signal?: AbortSignal) => request<V>('GET', path, undefined, signal);
const post = <V>(path: string, body: unknown = {}, signal?: AbortSignal) => request<V>('POST', path, body, signal);
const segment = encodeURIComponent;

export const api = {
  async session(): Promise<T.Session> {
    const session = await get<T.Session>('/session');
    csrf = session.csrf;
    return session;
  },
  login: (secret: string) => post('/login', { key: secret }),
  logout: () => post('/logout'),
  answers: (filter: Record<string, string | number | undefined>, signal?: AbortSignal) =>
    get<{ answers: T.Row[]; has_more: boolean }>('/answers' + query(filter), signal),
  exportPath: (filter: Record<string, string | undefined>) => ROOT + '/answers/export' + query(filter),
  answer: (id: number, signal?: AbortSignal) => get<T.View>(`/answers/${id}`, signal),
  fit: (id: number, settings: T.FitRequest, signal?: AbortSignal) => post<T.View>(`/answers/${id}/fit`, settings, signal),
  golden: (id: number, settings: T.FitRequest) =>
    get<{ name: string; files: Record<string, string> }>(`/answers/${id}/golden` + query({
      ...settings.budget, client: settings.client, contract: settings.contract, level: settings.level })),
  tools: (signal?: AbortSignal) => get<{ tools: T.Tool[] }>('/tools', signal),
  archive: (filter: Record<string, string | number | undefined>, signal?: AbortSignal) =>
    get<{ entries: T.ArchiveEntry[]; total: number }>('/archive' + query(filter), signal),
  archiveStats: (signal?: AbortSignal) => get<T.ArchiveStats>('/archive/stats', signal),
  tables: (handle: string, signal?: AbortSignal) => get<{ tables: T.Table[] }>(`/archive/${segment(handle)}/tables`, signal),
  // Numbers of an answer keep their digits: ExactNumber where JavaScript would round them.
  async query(handle: string, question: Record<string, string>, signal?: AbortSignal): Promise<T.QueryResult> {
    const result = await request<T.QueryResult>('POST', `/archive/${segment(handle)}/query`, question, signal, parseExact);
    return { ...result, ms: Number(stringifyExact(result.ms)) };
  },
  upstreams: (signal?: AbortSignal) => get<{ upstreams: T.Upstream[] }>('/upstreams', signal),
  sessions: (signal?: AbortSignal) => get<{ sessions: T.ClientSession[] }>('/sessions', signal),
  config: (signal?: AbortSignal) => get<T.Config>('/config', signal),
  checkConfig: () => post<T.Config>('/config/check'),
  reloadConfig: () => post<T.Config>('/config/reload'),
  check: (upstream: string, call: boolean) => post<T.CheckRun>('/check', { upstream, call }),
  checks: (signal?: AbortSignal) => get<{ runs: T.CheckRun[] }>('/check', signal),
  eventsPath: ROOT + '/events',
};
