// SPDX-License-Identifier: Apache-2.0
// MCP servers for the pictures of the dashboard: recorded answers of examples/answers, and others that are
// the same in every run.
//   node recorded_server.mjs tracker|files|logs|weather
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { serve } from './mcp_server.mjs';

const recorded = (name) => JSON.parse(readFileSync(join(import.meta.dirname, '../../examples/answers', name)));
const text = (value, isError = false) => ({ content: [{ type: 'text', text: value }], ...(isError ? { isError } : {}) });
const json = (value) => text(JSON.stringify(value));
const structured = (value) => ({ ...json(value), structuredContent: value });
const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const two = (number) => String(number).padStart(2, '0');
// The same numbers for the same seed (mulberry32).
const random = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const seedOf = (value) => [...JSON.stringify(value ?? null)].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0) | 0, 7);

const PEOPLE = ['ada', 'barbara', 'donald', 'edsger', 'grace'];
const ISSUES = JSON.parse(recorded('list_issues.json').content[0].text);

const TRACKER = {
  list_issues: ({ state, page }) => {
    if (!state && !page) return recorded('list_issues.json');
    const issues = ISSUES.issues.filter((issue) => !state || issue.state === state).slice((page ?? 0) * 10);
    return json({ total: issues.length, issues });
  },
  get_issue: ({ number }) => {
    const found = ISSUES.issues.find((issue) => issue.number === number);
    return found ? structured(found) : text(JSON.stringify({ code: 'NOT_FOUND', message: `There is no issue ${number} in this project` }), true);
  },
  list_pull_requests: ({ base = 'main', page = 0 }) => {
    const roll = random(seedOf([base, page]));
    const pick = (list) => list[Math.floor(roll() * list.length)];
    return json({ base, pull_requests: times(48, (at) => ({
      number: 900 + 48 * page + at, title: `${pick(['Repair', 'Simplify', 'Measure', 'Remove'])} the ${pick(['upload', 'cache', 'login', 'search', 'export'])} ${pick(['path', 'retry', 'limit', 'test'])}`,
      author: pick(PEOPLE), reviewers: [pick(PEOPLE), pick(PEOPLE)], draft: roll() < 0.2, state: pick(['open', 'merged', 'merged', 'closed']),
      additions: Math.floor(roll() * 400), deletions: Math.floor(roll() * 200), checks: { passed: 14, failed: roll() < 0.2 ? 1 : 0 },
      head: `work/${at}`, updated_at: `2026-11-${two(1 + (at % 19))}T${two(8 + (at % 10))}:15:00Z` })) });
  },
  get_settings: () => json({ user: 'ada', region: 'eu', api_token: 'ghp_' + 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4', theme: 'dark' }),
};

const FILES = {
  read_file: ({ path = '' }) => {
    if (/nope|missing/.test(path)) return recorded('read_missing_file.json');
    const roll = random(seedOf(path));
    return text(times(12 + Math.floor(roll() * 60), (at) => (at % 9 === 0 ? `// ${path}: part ${at / 9}` : `  const value${at} = read(${Math.floor(roll() * 900)}, "${PEOPLE[at % 5]}");`)).join('\n'));
  },
  list_directory: ({ path = 'src' }) => json({ path, entries: times(16, (at) => ({ name: `${['cache', 'login', 'upload', 'search'][at % 4]}_${at}.ts`, bytes: 700 + 311 * at, modified: `2026-11-${two(1 + at)}` })) }),
  search_files: ({ words = 'retry' }) => {
    const roll = random(seedOf(words));
    return json({ words, matches: times(45, (at) => ({ file: `src/${['cache', 'login', 'upload', 'search'][at % 4]}_${at % 16}.ts`, line: 3 + Math.floor(roll() * 180), text: `const ${words}${at} = await ${words}(request, { attempts: ${1 + at % 5} });` })) });
  },
};

const LOGS = {
  read_log: ({ service = 'worker', hour = 9 }) => {
    if (service === 'mailer') return text(JSON.stringify({ code: 'UNKNOWN_SERVICE', message: 'No service has the name mailer', services: ['worker', 'api', 'web'] }), true);
    const wrong = { worker: 'ERROR disk full on /data', api: 'ERROR upstream closed the connection', web: 'ERROR certificate expires in 3 days' }[service];
    return text(times(900, (at) => `2026-11-18 ${two(hour)}:${two(Math.floor(at / 60) % 60)}:${two(at % 60)} ${at === 611 ? wrong : at % 97 === 0 ? 'WARN queue is slow' : `INFO ${service} job ${2000 + at} finished`}`).join('\n'));
  },
  query_metrics: ({ name = 'requests' }) => {
    const roll = random(seedOf(name));
    return structured({ name, unit: 'per second', points: times(240, (at) => ({ time: `2026-11-18T${two(Math.floor(at / 60) + 6)}:${two(at % 60)}:00Z`, value: Math.round(1000 * roll()) / 10 })) });
  },
  list_alerts: () => structured({ alerts: [{ name: 'disk', service: 'worker', since: '2026-11-18T09:10:11Z', severity: 'page' }, { name: 'latency', service: 'api', since: '2026-11-18T08:55:00Z', severity: 'ticket' }] }),
};

const SERVERS = { tracker: TRACKER, files: FILES, logs: LOGS, weather: { get_weather: () => recorded('weather.json') } };
const WORDS = {
  list_issues: 'Lists the issues of the project, newest last.', get_issue: 'One issue with its text.', list_pull_requests: 'Lists the pull requests of a branch.',
  get_settings: 'The settings of the user.', read_file: 'Reads a file of the project.', list_directory: 'Lists a folder.', search_files: 'Finds lines in files.',
  read_log: 'The log of a service.', query_metrics: 'The values of a metric.', list_alerts: 'Alerts that are open.', get_weather: 'The weather of a city.',
};
const name = process.argv[2];
// As long as such a tool takes.
const slow = (make) => async (values) => { await setTimeout(4 + (Math.abs(seedOf(values)) % 40)); return make(values); };
serve(name, Object.fromEntries(Object.entries(SERVERS[name]).map(([tool, make]) => [tool, slow(make)])), (tool) => ({ description: WORDS[tool], annotations: { readOnlyHint: true } }));
