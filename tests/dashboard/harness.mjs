// SPDX-License-Identifier: Apache-2.0
// A real gateway on a free port, an MCP client for it, and a browser with a profile of its own.
import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;
export const root = join(here, '../..');

const CHROMIUM = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];

export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'enfold-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium', args: CHROMIUM, chromiumSandbox: false, viewport: { width: 1440, height: 900 }, acceptDownloads: true,
  });
  return { context, close: async () => { await context.close(); rmSync(profile, { recursive: true, force: true }); } };
}

// Starts `enfold serve` with the tool server; resolves when it printed its addresses.
export async function startGateway(enfold, { settings = 'budget = 1000', upstreams, address = '127.0.0.1:0', prepare = () => {}, env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'enfold-dashboard-'));
  const config = join(folder, 'enfold.toml');
  const own = `[upstreams.tools]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(join(here, 'tool_server.mjs'))}, ${JSON.stringify(join(root, 'examples/answers/list_issues.json'))}]\n`;
  writeFileSync(config, `archive = "archive.db"\nlog_format = "json"\n${settings}\n\n[listen]\naddress = "${address}"\n\n${upstreams ?? own}`);
  prepare(folder);
  const child = spawn(enfold, ['serve', '--config', 'enfold.toml'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder, ...env } });
  const gateway = { child, folder, config, archive: join(folder, 'archive.db'), log: [], links: [], url: '' };
  const ended = new Promise((resolve) => child.once('exit', resolve));
  gateway.close = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  };
  gateway.waitFor = (wanted, what) => new Promise((resolve, reject) => {
    const check = () => { const found = wanted(); if (found) { gateway.waiting.delete(check); resolve(found); } };
    gateway.waiting.add(check);
    ended.then(() => reject(new Error(`the gateway ended before ${what}:\n${gateway.log.join('\n')}`)));
    check();
  });
  gateway.waiting = new Set();
  createInterface({ input: child.stderr }).on('line', (line) => {
    gateway.log.push(line);
    const listening = /^listening on (\S+)/.exec(line);
    if (listening) gateway.url = listening[1];
    const link = /(http:\/\/\S*\/ui\/\?token=\S+?)["\s]*$/.exec(line) ?? /(http:\/\/[^\s"]*\/ui\/\?token=[^\s"]+)/.exec(line);
    if (link) gateway.links.push(link[1]);
    gateway.waiting.forEach((check) => check());
  });
  await gateway.waitFor(() => gateway.url && gateway.links.length, 'it printed a link');
  gateway.origin = new URL(gateway.url).origin;
  return gateway;
}

// A client of the era with sessions.
export async function connectClient(gateway, name = 'dashboard-test', version = '1.0') {
  let id = 0;
  let session = '';
  const post = async (message) => {
    const response = await fetch(gateway.url, {
      method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18', ...(session ? { 'Mcp-Session-Id': session } : {}) },
    });
    session ||= response.headers.get('mcp-session-id') ?? '';
    const body = await response.text();
    if (message.id === undefined || !body) return null;
    const data = body.startsWith('{') ? body : body.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).pop();
    return JSON.parse(data);
  };
  await post({ id: ++id, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version } } });
  await post({ method: 'notifications/initialized' });
  return { call: (tool, args = {}) => post({ id: ++id, method: 'tools/call', params: { name: tool, arguments: args } }) };
}

export const run = (enfold, args, options = {}) => execFileSync(enfold, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, ...options });

// A page that reports what must not happen: policy violations, errors, requests to elsewhere.
export async function newPage(context, gateway) {
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const quiet = /the server responded with a status of 4\d\d/.test(message.text());
    if ((message.type() === 'error' || message.type() === 'warning') && !quiet) page.problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== gateway.origin) page.problems.push(`request to ${url.origin}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
  });
  return page;
}

// All lines of a pane, collected while it is scrolled from top to bottom.
export async function paneLines(page, label) {
  return page.evaluate(async (wanted) => {
    const pane = [...document.querySelectorAll('.pane')].find((each) => each.getAttribute('aria-label') === wanted);
    const box = pane.querySelector('.lines');
    const found = new Map();
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (let top = 0; ; top += box.clientHeight - 60) {
      box.scrollTop = top;
      await frame();
      const slice = box.querySelector('.slice');
      const first = Math.round(new DOMMatrix(getComputedStyle(slice).transform).m42 / 20);
      [...slice.children].forEach((line, index) => found.set(first + index, {
        text: line.querySelector('.code')?.textContent ?? line.textContent, part: line.dataset.part ?? null, more: line.classList.contains('more'), classes: line.className }));
      if (top + box.clientHeight >= box.scrollHeight) break;
    }
    box.scrollTop = 0;
    return [...found].sort((a, b) => a[0] - b[0]).map(([, line]) => line);
  }, label);
}
