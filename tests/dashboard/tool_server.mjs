// SPDX-License-Identifier: Apache-2.0
// An MCP server on standard input and output whose answers try what a page must withstand: scripts,
// control and direction characters, 10 MB in one text, deep JSON, large integers, secrets, failures.
import { readFileSync } from 'node:fs';
import { serve } from './mcp_server.mjs';

const issues = readFileSync(process.argv[2], 'utf8');
const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const BIDI = 'safe\u202egnp.exe\u202c';
const text = (value, isError = false) => ({ content: [{ type: 'text', text: value }], ...(isError ? { isError } : {}) });

const TOOLS = {
  list_issues: () => JSON.parse(issues),
  echo: ({ text: said = 'hello' }) => text(JSON.stringify({ said })),
  fail: () => text("ENOENT: no such file or directory, open '/sandbox/nope.txt'", true),
  crash: () => process.exit(1),
  secret: () => text(JSON.stringify({ user: 'ada', token: 'ghp_' + 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4' })),
  log: () => text(Array.from({ length: 4000 }, (_, i) => `2026-03-01 08:00:00,${String(i % 1000).padStart(3, '0')} INFO job ${i} finished`).join('\n')),
  hostile: () => text(JSON.stringify({ [SCRIPT]: SCRIPT, bidi: BIDI, controls: 'a\u0000b\u001b[31mc\u0007', close: '</script><script>window.hacked=1</script>' })),
  hostile_error: () => text(`Error: ${SCRIPT} ${BIDI} \u001b[2J`, true),
  huge: () => text(JSON.stringify({ name: 'huge', data: 'The old value is shown until the next deploy. '.repeat(228_000) })),
  ids: () => text(`{"items":[${Array.from({ length: 600 }, (_, i) => { const id = 9007199254740993n + 2n * BigInt(i); return `{"id":${id},"label":"number: ${id}, exact"}`; }).join(',')}]}`),
  numbered: () => text(JSON.stringify({ users: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [1001 + i, { name: `user ${i}`, note: 'Waits for the next deploy, and for the one after it. '.repeat(3) }])) })),
  deep: () => text('['.repeat(400) + '1' + ']'.repeat(400)),
};
serve('dashboard-tools', TOOLS, (name) => ({
  description: name === 'hostile' ? `Says ${SCRIPT}` : `The tool ${name}.`,
  annotations: { readOnlyHint: true, title: name === 'hostile' ? SCRIPT : name },
}));
