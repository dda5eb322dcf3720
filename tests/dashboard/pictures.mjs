// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of docs/guide/dashboard.md: example servers and recorded answers behind a real gateway,
// called by three clients for an hour (hour.mjs), photographed in Chromium.
//   node pictures.mjs FOLDER_OF_PROGRAMS OUTPUT_FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClient, newPage, root, startBrowser, startGateway } from './harness.mjs';
import { callsOf, MINUTES } from './hour.mjs';

const [programs, output] = process.argv.slice(2);
const LIMIT = 3000;
process.env.PATH = `${programs}:${process.env.PATH}`;
const server = join(root, 'tests/dashboard/recorded_server.mjs');
const upstreams = ['tracker', 'files', 'logs', 'weather'].map((name) => `[upstreams.${name}]\ncommand = "node"\nargs = ["servers/${name}.mjs"]\n`).join('\n') +
  '\n[upstreams.memory]\ncommand = "enfold-example-memory"\n\n[upstreams.scalpel]\ncommand = "enfold-example-scalpel"\nargs = ["--config", "examples/scalpel/config.json"]\n';

// What the configuration names is in the folder of the gateway.
function prepare(folder) {
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  symlinkSync(process.execPath, join(clock.folder, 'node'));
  mkdirSync(join(folder, 'servers'));
  for (const name of ['tracker', 'files', 'logs', 'weather']) {
    writeFileSync(join(folder, 'servers', `${name}.mjs`), `process.argv[2] = '${name}';\nawait import(${JSON.stringify(server)});\n`);
  }
}

// The clock of the gateway, which runs through an hour while the calls are made.
function startClock() {
  const folder = mkdtempSync(join(tmpdir(), 'enfold-clock-'));
  const library = join(folder, 'shifted_clock.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(root, 'tests/dashboard/shifted_clock.c'), '-ldl']);
  const file = join(folder, 'behind');
  const set = (seconds) => { const bytes = Buffer.alloc(8); bytes.writeBigInt64LE(BigInt(seconds)); writeFileSync(file, bytes, { flag: 'r+' }); };
  writeFileSync(file, Buffer.alloc(8));
  return { folder, set, env: { LD_PRELOAD: library, ENFOLD_CLOCK_BEHIND: file } };
}

async function traffic(gateway, rows) {
  const clients = [];
  for (let minute = 0; minute < MINUTES; minute++) {
    const calls = callsOf(minute);
    for (const [at, [client, tool, values]] of calls.entries()) {
      clock.set(60 * (MINUTES - 1 - minute) + Math.max(0, Math.round(50 - (50 * (at + 1)) / calls.length)));
      clients[client] ??= await connectClient(gateway, ...[['claude-code', '2.1.4'], ['cursor', '1.9.2'], ['Visual Studio Code', '1.107.0']][client]);
      const arguments_ = typeof values === 'function' ? values(await rows()) : values;
      if (arguments_) await clients[client].call(tool, arguments_);
    }
  }
  clock.set(0);
}

const is_free = (port) => new Promise((resolve) => {
  const probe = createServer().once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
});

const clock = startClock();
process.env.PATH = `${clock.folder}:${process.env.PATH}`;
clock.set(60 * MINUTES);
const gateway = await startGateway(join(programs, 'enfold'), { settings: `budget = ${LIMIT}`, upstreams, prepare, address: (await is_free(8080)) ? '127.0.0.1:8080' : '127.0.0.1:0', env: clock.env });
const browser = await startBrowser();
try {
  const page = await newPage(browser.context, gateway);
  await page.goto(gateway.links[0]);
  const api = (path) => page.evaluate(async (where) => (await fetch('/api/v1' + where)).json(), path);
  await traffic(gateway, async () => (await api('/answers?what=cut&limit=200')).answers);
  const issues = (await api('/answers?tool=list_issues&limit=1')).answers[0];
  // An answer that was opened has counted tokens, also in the list.
  await page.goto(`${gateway.origin}/ui/answers/${issues.id}`);
  await page.locator('.pane .line').first().waitFor();
  await page.goto(`${gateway.origin}/ui/check?upstream=tracker`);
  await page.getByRole('button', { name: 'Run the check' }).click();
  await page.locator('.finding').first().waitFor();
  const sql = encodeURIComponent('select state, author, count(*) as n from issues group by 1, 2 order by 3 desc');
  const screens = { answers: 'answers', answer: `answers/${issues.id}`, tools: 'tools', archive: 'archive', console: `archive/${issues.handle}?sql=${sql}`, upstreams: 'upstreams', check: 'check?upstream=tracker' };
  mkdirSync(output, { recursive: true });
  for (const [size, width, height] of [['large', 1280, 800], ['small', 360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [name, path] of Object.entries(screens)) {
        await page.goto(`${gateway.origin}/ui/${path}`);
        await page.locator('.screen').waitFor();
        if (name === 'answer') await page.locator('.pane .line:visible').first().waitFor();
        if (name === 'console') await page.locator('.result-table').waitFor();
        await page.waitForFunction(() => !document.querySelector('.loading'));
        if (name === 'answer') await page.locator('.original-line a').waitFor();
        if (name === 'upstreams') await page.getByRole('link', { name: /^[1-9]\d*$/ }).first().waitFor();
        await page.screenshot({ path: join(output, `${name}-${size}-${colorScheme}.png`) });
      }
    }
  }
  // The picture of the README is the file that the page of this answer saves.
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.goto(`${gateway.origin}/ui/answers/${issues.id}`);
  await page.locator('.original-line a').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()]);
  const file = join(gateway.folder, 'answer.html');
  await download.saveAs(file);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`file://${file}`);
    await page.locator('.pane .line:visible').first().waitFor();
    await page.screenshot({ path: join(output, `before-after-${colorScheme}.png`) });
  }
  page.problems = page.problems.filter((problem) => problem !== 'request to null');
  console.log(`${output}: ${readdirSync(output).length} pictures`);
  if (page.problems.length) throw new Error(page.problems.join('\n'));
} finally {
  await browser.close();
  await gateway.close();
  rmSync(clock.folder, { recursive: true, force: true });
}
