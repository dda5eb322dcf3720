// SPDX-License-Identifier: Apache-2.0
// An MCP server that gives the recorded answers of examples/answers, for the pictures of the dashboard.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './mcp_server.mjs';

const recorded = (name) => JSON.parse(readFileSync(join(import.meta.dirname, '../../examples/answers', name)));
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const LOG = Array.from({ length: 900 }, (_, i) => `2026-11-18 09:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')} ` +
  (i === 611 ? 'ERROR disk full on /data' : i % 97 === 0 ? 'WARN queue is slow' : `INFO job ${2000 + i} finished`)).join('\n');

const TOOLS = {
  list_issues: () => recorded('list_issues.json'),
  read_file: () => recorded('read_missing_file.json'),
  search_nodes: () => recorded('search_nodes.json'),
  get_weather: () => recorded('weather.json'),
  read_log: () => text(LOG),
  get_settings: () => text(JSON.stringify({ user: 'ada', region: 'eu', api_token: 'ghp_' + 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4', theme: 'dark' })),
};
const WORDS = {
  list_issues: 'Lists the issues of the project, newest last.', read_file: 'Reads a file of the sandbox.', search_nodes: 'Finds entities and relations.',
  get_weather: 'The weather of a city.', read_log: 'The log of the worker.', get_settings: 'The settings of the user.',
};
serve('tracker', TOOLS, (name) => ({ description: WORDS[name], annotations: { readOnlyHint: true } }));
