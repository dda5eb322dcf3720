// SPDX-License-Identifier: Apache-2.0
// The values of the admin API (docs/reference/admin-api.md), as the page reads them.

export type What = 'whole' | 'cut' | 'repaired' | 'redacted' | 'failed';
export type Outcome = 'ok' | 'partial' | 'failed' | 'input_required' | 'refused';

export interface Row {
  id: number;
  time: string;
  client: string;
  principal: string | null;
  upstream: string;
  tool: string;
  http: number | null;
  rpc: 'ok' | 'error';
  outcome: Outcome;
  kind: string | null;
  tokens_before: number;
  tokens_after: number;
  exact: boolean;
  reason: 'cut' | 'envelope' | 'text' | null;  // of more or fewer tokens; null: not known
  bytes_before: number;
  bytes_after: number;
  what: What[];
  ms: number;
  handle: string | null;
  recorded: boolean;
  request_id: string | null;
  error: string | null;
  from_cache: boolean;
}

export interface Budget {
  tokens: number | null;
  characters: number | null;
  lines: number | null;
}

export interface Settings {
  contract: string;
  client: string;
  level: string;
  budget: Budget;
  target?: number;
  encoding: string;
}

export type Side = 'before' | 'after';

export interface Part {
  side: Side;
  pointer: string;
  what: string;
  why: string;
  tokens: number;
  items: number;
}

export interface Size {
  tokens: number;
  characters: number;
  lines: number;
}

export interface View {
  row: Row | null;
  given: boolean;  // `after` is what the client got
  has_original: boolean;  // false: Enfold wrote the answer itself
  settings: Settings;
  before: { text: string; is_json: boolean; root?: string; size: Size };
  after: { text: string; is_json: boolean; payload?: string; size: Size };
  fits: boolean;
  parts: Part[];
  fidelity: string;
  handle: string | null;
  expires?: string | null;  // of the original; only in a saved file
  gone?: string | null;  // set by the page: the handle of an original that the archive has no more
  dropped_count: number;
  schema_note: string | null;
  warnings: { code: string; severity: string; message: string }[];
  failure: { kind: string; code: string | null; message: string; retry?: unknown } | null;
  commands: { fit: string; fetch: string | null };
}

export interface FitRequest {
  budget?: { tokens?: number; characters?: number; lines?: number; target?: number };  // without it: the limits of the client
  client: string;
  contract: string;
  level: string;
}

export interface ClientProfile {
  name: string;
  budget: Partial<Budget>;
}

export interface Session {
  version: string;
  csrf: string;
  principal: string | null;
  started_at: string;
  contracts: string[];
  clients: ClientProfile[];
  recording: { is_on: boolean; bytes: number; limit_bytes: number; answers: number };
  has_archive: boolean;
  can_reload: boolean;
  upstreams: string[];
  log_out: boolean;
}

export interface Trend {
  time: string;
  calls: number;
  tokens_before: number;
  tokens_after: number;
}

export interface Tool {
  upstream: string;
  tool: string;
  definition_tokens: number;
  calls: number;
  failed: number;
  cut: number;
  redacted: number;
  tokens_before: number;
  tokens_after: number;
  bytes_before: number;
  p50_ms: number;
  p95_ms: number;
  trend: Trend[];
  advice: { reason: string; toml: string }[];
}

export interface ArchiveEntry {
  handle: string;
  upstream: string | null;  // not known after a restart
  tool: string;
  owner: string;
  time: string;
  expires: string | null;
  bytes: number;
  stored_bytes: number;
  opened: number;
  answers: number;  // recent ones that have this original
  last_answer: number | null;
}

export interface Group {
  name: string;
  upstream?: string | null;
  entries: number;
  bytes: number;
  opened?: number;
}

export interface ArchiveStats {
  entries: number;
  bytes: number;
  stored_bytes: number;
  answers: number;
  by_tool: Group[];
  by_owner: Group[];
  by_age: Group[];
}

export interface Table {
  name: string;
  pointer: string;
  rows: number;
  columns: { name: string; type: string }[];
}

export interface QueryResult {
  answer: unknown;
  rows: { columns: string[]; rows: unknown[][] } | null;
  cursor: string | null;
  ms: number;
}

export interface Upstream {
  name: string;
  state: string;
  era: string | null;
  transport: string;
  processes: number;
  connections: number;
  restarts: number;
  failures: number;
  failures_in_row: number;
  tools: number;
  breaker: string;
  last_failure?: string | null;
}

export interface ClientSession {
  id: string;
  client: string;
  principal: string | null;
  era: string | null;
  opened: string;
  last_call: string | null;
  calls: number;
  budget: { limit: number; used: number } | null;
  trend: (Partial<Trend> & { used?: number })[];
}

export interface Config {
  text: string;
  path: string | null;
  problems: { where: string; message: string; hint: string | null }[];
  applied?: boolean;
}

export interface Finding {
  rule: string;
  severity: string;
  tool: string;
  place: string;
  message: string;
  hint: string | null;
}

export interface CheckRun {
  id: number | string;
  time: string;
  upstream: string;
  findings: Finding[];
  not_called: { tool: string; reason: string }[];
  counts: { calls: number; tools: number; answers: number };
  new?: Finding[];
  gone?: Finding[];
}
