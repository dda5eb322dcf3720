// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of docs/guide/dashboard.md: the example servers and recorded answers behind a real
// gateway, called by a few clients, photographed in Chromium.
//   node pictures.mjs FOLDER_OF_PROGRAMS OUTPUT_FOLDER
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { connectClient, newPage, root, run, startBrowser, startGateway } from './harness.mjs';

const [programs, output] = process.argv.slice(2);
process.env.PATH = `${programs}:${process.env.PATH}`;
const EXAMPLES = ['discord', 'memory', 'foundry', 'scalpel'];
const calls = (name) => JSON.parse(readFileSync(join(root, 'examples', name, 'calls.json')));
const upstreams = EXAMPLES.map((name) => `[upstreams.${name}]\ncommand = "enfold-example-${name}"\n` +
  (name === 'memory' ? '' : `args = ["--config", "examples/${name}/config.json"]\n`)).join('\n') +
  `\n[upstreams.tracker]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(join(root, 'tests/dashboard/recorded_server.mjs'))}]\n`;

async function traffic(gateway) {
  const clients = await Promise.all(['claude-code', 'cursor', 'Visual Studio Code'].map((name) => connectClient(gateway, name)));
  const plan = EXAMPLES.flatMap((name) => calls(name).map((call) => [`${name}__${call.tool}`, call.arguments ?? {}]));
  const own = ['list_issues', 'get_weather', 'read_log', 'search_nodes', 'read_file', 'get_settings'].map((tool) => [`tracker__${tool}`, {}]);
  let turn = 0;
  for (const [at, [tool, values]] of plan.entries()) {
    await clients[turn++ % 3].call(tool, values);
    if (at % 4 === 3) await clients[turn++ % 3].call(...own[Math.floor(at / 4) % own.length]);
  }
  for (const call of own) await clients[turn++ % 3].call(...call);
  return clients;
}

const gateway = await startGateway(join(programs, 'enfold'), { settings: 'budget = 600', upstreams, prepare: (folder) => symlinkSync(join(root, 'examples'), join(folder, 'examples')) });
const browser = await startBrowser();
try {
  await traffic(gateway);
  const page = await newPage(browser.context, gateway);
  await page.goto(gateway.links[0]);
  const api = (path) => page.evaluate(async (where) => (await fetch('/api/v1' + where)).json(), path);
  const newest = async (tool) => (await api(`/answers?tool=${tool}&limit=1`)).answers[0];
  const issues = (await newest('list_issues')) ?? (await newest('tracker__list_issues'));
  await page.goto(`${gateway.origin}/ui/check?upstream=tracker`);
  await page.getByRole('button', { name: 'Run the check' }).click();
  await page.locator('.history a').first().waitFor();
  const sql = encodeURIComponent('select state, author, count(*) as issues from issues group by 1, 2 order by 3 desc');
  const screens = { answers: 'answers', answer: `answers/${issues.id}`, tools: 'tools', archive: 'archive', console: `archive/${issues.handle}?sql=${sql}`, upstreams: 'upstreams', check: 'check?upstream=tracker' };
  mkdirSync(output, { recursive: true });
  for (const [size, width, height] of [['large', 1280, 800], ['small', 360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (size === 'small' && colorScheme === 'dark') continue;
      for (const [name, path] of Object.entries(screens)) {
        await page.goto(`${gateway.origin}/ui/${path}`);
        await page.locator('.screen').waitFor();
        if (name === 'answer') await page.locator('.pane .line').first().waitFor();
        if (name === 'console') await page.locator('.result-table').waitFor();
        await page.waitForFunction(() => !document.querySelector('.loading'));
        await page.screenshot({ path: join(output, `${name}-${size}-${colorScheme}.png`) });
      }
    }
  }
  // The picture of the README is the offline page of one answer.
  const file = join(gateway.folder, 'answer.html');
  run(join(programs, 'enfold'), ['fit', '--budget', '800', '--explain', '--html', file, '--archive', join(gateway.folder, 'other.db'), 'examples/answers/list_issues.json']);
  await page.setViewportSize({ width: 1280, height: 700 });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`file://${file}`);
    await page.locator('.pane .line').first().waitFor();
    await page.screenshot({ path: join(output, `before-after-${colorScheme}.png`) });
  }
  page.problems = page.problems.filter((problem) => problem !== 'request to null');
  console.log(`${output}: ${readdirSync(output).length} pictures`);
  if (page.problems.length) throw new Error(page.problems.join('\n'));
} finally {
  await browser.close();
  await gateway.close();
}
