// SPDX-License-Identifier: Apache-2.0
// An hour of calls for the pictures of the dashboard: which client calls which tool in which minute. The
// answers, and every figure that the pictures show, come from the gateway and the servers.
export const MINUTES = 60;
const pick = (list, at) => list[at % list.length];
const CITIES = ['Oslo', 'Lisbon', 'Graz'];
const NOTES = ['The build uses ccache.', 'Reviews happen on Tuesdays.', 'The worker restarts at night.', 'Tea before coffee.'];

// What is called in minute `m`: [client, tool, arguments]; a function makes the arguments from the rows so far.
export function callsOf(m) {
  const calls = [
    [0, 'files__read_file', { path: `src/${pick(['cache', 'login', 'upload', 'search', 'retry'], m)}_${m}.ts` }],
    [1, 'tracker__get_issue', { number: 2001 + ((m * 11) % 119) }],
    [m % 3, 'memory__memory_search', { query: pick(['build', 'reviews', 'worker', 'tea', 'ccache', 'night', 'coffee', 'restarts', 'Tuesdays', 'before'], m) }],
  ];
  if (m < NOTES.length) calls.unshift([0, 'memory__memory_store', { content: NOTES[m], scope: 'work/notes' }]);
  if (m % 3 === 0) calls.push([1, 'files__list_directory', { path: pick(['src', 'tests', 'docs'], m / 3) }]);
  if (m % 4 === 1) calls.push([m % 3, 'files__search_files', { words: pick(['retry', 'cache', 'token', 'limit'], (m - 1) / 4) }]);
  if (m % 5 === 2) calls.push([2, 'tracker__list_issues', pick([{}, { state: 'open' }, { state: 'closed' }, { page: 3 }], (m - 2) / 5)]);
  if (m % 7 === 3) calls.push([0, 'logs__read_log', { service: pick(['worker', 'api', 'web'], (m - 3) / 7), hour: 8 + ((m - 3) / 7) % 4 }]);
  if (m % 6 === 4) calls.push([0, 'logs__query_metrics', { name: pick(['requests', 'latency', 'queue', 'errors', 'memory', 'connections', 'retries'], (m - 4) / 6) }]);
  if (m % 9 === 5) calls.push([2, 'tracker__list_pull_requests', { base: pick(['main', 'release'], (m - 5) / 9), page: Math.floor(m / 18) }]);
  if (m % 8 === 6) calls.push([m % 3, 'weather__get_weather', { city: pick(CITIES, m) }]);
  if (m % 6 === 0) calls.push([1, 'logs__list_alerts', {}]);
  if (m % 10 === 7) calls.push([1, 'scalpel__analyze_code', { file: pick(['app/login.py', 'app/reports.py', 'app/admin.py'], (m - 7) / 10) }]);
  if (m % 15 === 8) calls.push([1, 'scalpel__crawl_project', {}]);
  if (m % 20 === 17) calls.push([2, 'tracker__get_settings', {}]);
  if (m === 12 || m === 44) calls.push([0, 'files__read_file', { path: '/sandbox/nope.txt' }]);
  if (m === 27) calls.push([1, 'tracker__get_issue', { number: 9999 }]);
  if (m === 58) calls.push([0, 'logs__read_log', { service: 'mailer' }]);
  if (m % 8 === 3) calls.push([2, 'enfold_fetch', (rows) => opened(rows, 'list_issues', { sql: 'select number, title from issues where author = \'ada\' order by number desc limit 8' })]);
  if (m % 11 === 9) calls.push([0, 'enfold_fetch', (rows) => opened(rows, 'read_log', { find: 'ERROR' })]);
  // What one looks at last.
  if (m === MINUTES - 1) calls.push([2, 'tracker__list_issues', {}], [1, 'logs__list_alerts', {}]);
  return calls;
}

// Opens the newest original of a tool; null: there is none yet.
function opened(rows, tool, question) {
  const row = rows.find((each) => each.tool === tool && each.handle);
  return row ? { handle: row.handle, ...question } : null;
}
