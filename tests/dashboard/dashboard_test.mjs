// SPDX-License-Identifier: Apache-2.0
// The dashboard in Chromium, in front of a real gateway.
//   node dashboard_test.mjs ENFOLD [--nightly]
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connectClient, newPage, paneLines, root, run, startBrowser, startGateway } from './harness.mjs';

const enfold = process.argv[2];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const FILE = 'examples/answers/list_issues.json';
const BEFORE = 'What the server sent';
const AFTER = 'What the model would get';
let gateway;
let browser;
let page;
let client;
const ui = (path = '') => `${gateway.origin}/ui/${path}`;
const other = () => `${gateway.folder}/other.db`;
const rows = () => page.locator('[role=grid] [role=row][id]');
const WINDOW = { width: 1440, height: 900 };
const api = (path, init) => page.evaluate(async ([where, options]) => (await fetch('/api/v1' + where, options)).json(), [path, init]);

async function answerOf(tool) {
  await client.call(tool);
  await page.goto(ui(`answers?tool=${tool}`));
  await rows().first().waitFor();
  return Number((await rows().first().getAttribute('id')).slice(4));
}

async function fitTo(id, tokens) {
  await page.goto(ui(`answers/${id}?tokens=${tokens}&client=none`));
  await page.getByRole('button', { name: 'As it was given' }).waitFor();
  const unfold = page.locator('.fold button').first();
  if (await unfold.count()) await unfold.click();
}

function noProblems() {
  assert.deepEqual(page.problems, []);
}

before(async () => {
  gateway = await startGateway(enfold);
  browser = await startBrowser();
  page = await newPage(browser.context, gateway);
  page.setDefaultTimeout(10_000);
  await page.goto(gateway.links[0]);
  await page.getByText('No answers yet').waitFor();
  client = await connectClient(gateway);
});
after(async () => {
  await browser?.close();
  await gateway?.close();
});

test('the printed link logs in once', async () => {
  assert.equal(new URL(page.url()).search, '');
  const reply = await fetch(gateway.links[0], { redirect: 'manual' });
  assert.equal(reply.headers.get('set-cookie'), null);
  await gateway.waitFor(() => gateway.links.length > 1, 'it printed a new link');
});

test('rows arrive while one looks', async () => {
  await client.call('echo', { text: 'first' });
  await rows().first().waitFor();
  await client.call('list_issues');
  await client.call('fail');
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 3);
  const texts = await rows().allInnerTexts();
  assert.match(texts[0], /fail[\s\S]*failed/);
  assert.match(texts[1], /list_issues[\s\S]*cut[\s\S]*→/);
  assert.match(texts[2], /echo[\s\S]*whole/);
  noProblems();
});

test('a paused list waits and says how many are new', async () => {
  await page.getByRole('button', { name: 'Pause' }).click();
  await client.call('echo');
  await page.getByRole('button', { name: 'Resume · 1 new' }).click();
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 4);
});

test('filters are in the address, and back removes them', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  await page.getByRole('button', { name: /cut/ }).click();
  await page.waitForURL(/what=cut/);
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 1);
  assert.match(await rows().first().innerText(), /list_issues/);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 4);
  await page.getByLabel('Filter answers').fill('ENOENT');
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 1);
  assert.match(page.url(), /q=ENOENT/);
  await page.goto(page.url());
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 1);
});

test('the marks are the parts that `enfold fit --explain --json` reports', async () => {
  const id = await answerOf('list_issues');
  await page.setViewportSize({ ...WINDOW, height: 4000 });  // fewer steps to see every line
  const payload = JSON.parse(JSON.parse(readFileSync(`${root}/${FILE}`)).content[0].text);
  for (const tokens of [800, 300]) {
    await fitTo(id, tokens);
    const explained = JSON.parse(run(enfold, ['fit', '--budget', String(tokens), '--explain', '--json', '--archive', other(), FILE])).parts;
    const shown = (await api(`/answers/${id}/fit`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Enfold-Csrf': (await api('/session')).csrf },
      body: JSON.stringify({ budget: { tokens }, client: '', contract: 'response-v2', level: 'full' }) })).parts;
    const words = new Set(explained.map((part) => part.shown));
    const same = shown.map((part, index) => ({ ...part, index })).filter((part) => part.side === 'before' && words.has(part.what));
    assert.deepEqual(same.map(({ pointer, what, items, tokens: cost }) => ({ pointer, shown: what, items, tokens: cost })), explained);
    const lines = (await paneLines(page, BEFORE)).filter((line) => !line.more);
    const printed = (value) => JSON.stringify(value, null, 1).split('\n').length;
    for (const part of same.filter(({ what }) => what !== 'facts')) {
      const [, name, range] = part.pointer.split('/');
      const [first, last] = (range ?? '').split('..').map(Number);
      const values = range === undefined ? [payload[name]] : payload[name].slice(first, (last ?? first) + 1);
      const marked = lines.filter((line) => line.part === String(part.index));
      assert.equal(marked.length, values.reduce((sum, value) => sum + printed(value), 0), `${tokens} ${part.pointer}`);
      assert.equal(marked.every((line) => line.classes.includes(` m-${part.what} `)), part.what !== 'whole');
    }
    const everywhere = lines.filter((line) => line.part !== null).length;
    assert.equal(everywhere, lines.filter((line) => same.some((part) => String(part.index) === line.part)).length);
  }
  noProblems();
});

test('a mark says its place, rule and cost when it has the focus', async () => {
  const chip = page.locator('.pane .chip').first();
  await chip.focus();
  assert.match(await page.locator('.detail').innerText(), /\/\S+[\s\S]+token/);
});

test('the slider gives what `enfold fit` gives', async () => {
  const id = await answerOf('list_issues');
  const bare = (text) => text.replace(/[\s"]/g, '');
  for (const tokens of [200, 500, 2000]) {
    await fitTo(id, tokens);
    const fitted = run(enfold, ['fit', '--budget', String(tokens), '--archive', other(), FILE]);
    const counted = /(\d+) tokens/.exec(run(enfold, ['tokens'], { input: fitted }))[1];
    assert.equal((await page.locator('.big b').innerText()).replaceAll(',', ''), counted);
    assert.equal(bare((await paneLines(page, AFTER)).map((line) => line.text).join('')), bare(fitted));
  }
  await page.setViewportSize(WINDOW);
  await page.goto(ui(`answers/${id}`));
  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/tokens=\d+/);
  const tokens = /tokens=(\d+)/.exec(page.url())[1];
  assert.equal(await page.getByLabel('Target in tokens').inputValue(), tokens);
});

test('both sides scroll together', async () => {
  const id = await answerOf('list_issues');
  await fitTo(id, 800);
  const lines = page.locator('.lines');
  await lines.first().evaluate((box) => { box.scrollTop = box.scrollHeight; });
  await page.waitForFunction(() => { const [, box] = document.querySelectorAll('.lines'); return box.scrollTop > 0; });
  await lines.nth(1).evaluate((box) => { box.scrollTop = 0; });
  await page.waitForFunction(() => { const [box] = document.querySelectorAll('.lines'); return box.scrollTop < 200; });
});

test('a golden test is saved with its files', async () => {
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}`));
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as golden test' }).click()]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.ok(saved.name && Object.keys(saved.files).length >= 2);
});

test('the console gives what `enfold fetch --sql` gives', async () => {
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}`));
  await page.getByRole('link', { name: 'Open in archive' }).click();
  await page.waitForURL(/archive\/\d+/);
  const handle = /archive\/(\d+)/.exec(page.url())[1];
  const sql = 'select state, count(*) from issues group by 1';
  await page.getByRole('textbox', { name: 'SQL' }).fill(sql);
  await page.keyboard.press('Control+Enter');
  const cells = page.locator('.result-table tbody tr');
  await cells.first().waitFor();
  const fetched = JSON.parse(run(enfold, ['fetch', handle, '--sql', sql, '--archive', gateway.archive]));
  assert.deepEqual((await cells.allInnerTexts()).map((row) => row.split('\t')), fetched.data.items.map((item) => Object.values(item).map(String)));
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.locator('.json-view .line').first().waitFor();
  const bare = (text) => text.replace(/[\s"]/g, '');
  assert.equal(bare(await page.locator('.json-view').innerText()), bare(JSON.stringify(fetched)));
  await page.getByRole('textbox', { name: 'SQL' }).fill('select nothing from nowhere');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').waitFor();
  noProblems();
});

test('the export is the log of the gateway', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export' }).click()]);
  const exported = readFileSync(await download.path(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const logged = gateway.log.filter((line) => line.includes('"event":"call"')).map((line) => JSON.parse(line));
  const essence = (of) => of.map(({ request_id, tool, tokens_before, tokens_after, outcome }) => [request_id, tool, tokens_before, tokens_after, outcome]);
  assert.deepEqual(essence(exported), essence(logged));
});

test('everything can be reached by keyboard', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  // At once: the key after Esc is for the page.
  await page.keyboard.press('/');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.type('list_issues');
  await page.waitForURL(/q=list_issues/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.locator('[role=row][aria-selected=true]').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/answers\/\d+/);
  await page.locator('.pane').first().waitFor();
  await page.keyboard.press('n');
  await page.locator('.line.is-selected').first().waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/answers\?q=list_issues/);
  for (const [key, name] of [['t', 'tools'], ['r', 'archive'], ['u', 'upstreams'], ['c', 'check'], ['a', 'answers']]) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.waitForURL(new RegExp(`/ui/${name}$`));
  }
  // No trap: Tab goes through the page and leaves it again.
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => { const e = document.activeElement; return e === document.body ? 'body' : e.tagName + (e.getAttribute('aria-label') ?? e.textContent).slice(0, 30); });
    if (at === 'body' || (seen.size > 5 && [...seen][0] === at)) return;
    seen.add(at);
  }
  assert.fail(`Tab did not come around: ${[...seen].join(' | ')}`);
});

test('the check runs, and its findings stay in the history', async () => {
  await page.goto(ui('check'));
  await page.getByRole('button', { name: 'Run the check' }).click();
  await page.locator('.history a').first().waitFor();
  assert.ok(await page.locator('.finding').count() > 0);
  noProblems();
});

test('a configuration with a mistake is shown with its place and changes nothing', async () => {
  const { writeFileSync } = await import('node:fs');
  const text = readFileSync(gateway.config, 'utf8');
  await page.goto(ui('upstreams'));
  try {
    writeFileSync(gateway.config, text.replace('budget = 1000', 'budget = "much"'));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.locator('.finding.is-error').first().waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('.finding.is-error').first().waitFor();
  } finally {
    writeFileSync(gateway.config, text);
  }
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('Reloaded: the file is in use.').waitFor();
  noProblems();
});

test('hostile content is shown as text', async () => {
  const hostile = await connectClient(gateway, '<script>window.hacked=1</script>\u202e');
  for (const tool of ['hostile', 'hostile_error', 'deep', 'huge']) await hostile.call(tool);
  for (const tool of ['hostile', 'hostile_error', 'deep', 'huge']) {
    await page.goto(ui(`answers?tool=${tool}`));
    await rows().first().waitFor();
    await rows().first().click();
    await page.locator('.pane .line').first().waitFor();
    const pane = page.locator('.pane').first();
    let shown = await pane.innerText();
    if (tool === 'hostile') assert.match(shown, /<img src=x onerror/);
    if (tool === 'hostile' || tool === 'hostile_error') assert.doesNotMatch(shown, /[\u0000\u0007\u001b\u202a-\u202e]/);
    if (tool === 'huge') {
      await pane.locator('.lines').evaluate((box) => { box.scrollTop = box.scrollHeight; });
      await pane.getByText(/more characters of this text/).waitFor();
      shown = await pane.innerText();
      assert.ok(shown.length < 10_000, 'only what is on the screen is in the page');
    }
  }
  for (const screen of ['tools', 'archive', 'upstreams', 'answers']) {
    await page.goto(ui(screen));
    await page.locator('h1').first().waitFor({ state: 'attached' });
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('#app img, #app script').count(), 0);
  noProblems();
});

test('secrets are redacted, and marked', async () => {
  const id = await answerOf('secret');
  await page.goto(ui(`answers/${id}`));
  await page.locator('.pane .line').first().waitFor();
  assert.doesNotMatch(await page.locator('#app').innerText(), /ghp_/);
  assert.ok(await page.locator('.m-redacted').count() > 0);
});

test('axe finds nothing serious on any screen, light and dark', async () => {
  const id = await answerOf('list_issues');
  const handle = (await api(`/answers/${id}`)).row.handle;
  const screens = ['answers', `answers/${id}`, 'tools', 'archive', `archive/${handle}?sql=select+*+from+issues+limit+3`, 'upstreams', 'check'];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const screen of screens) {
      await page.goto(ui(screen));
      await page.locator('.screen, .empty').first().waitFor();
      if (screen.includes('?sql')) await page.locator('.result-table').waitFor();
      if (/^answers\//.test(screen)) await page.locator('.pane .line').first().waitFor();
      // Through the protocol, as the page's policy forbids scripts that are not its own.
      await page.evaluate(readFileSync(AXE, 'utf8'));
      // What a scheme changes is the contrast; the other rules see the same document.
      const options = { resultTypes: ['violations'], ...(colorScheme === 'dark' ? { runOnly: { type: 'rule', values: ['color-contrast'] } } : {}) };
      const found = await page.evaluate(async (rules) => (await window.axe.run(document, rules)).violations, options);
      const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id: rule, nodes }) => `${screen} ${colorScheme}: ${rule}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' – ' + node.failureSummary?.slice(0, 200)).join(' | ')}`);
      assert.deepEqual(serious, []);
      assert.deepEqual(await page.evaluate(() => window.violations), []);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

test('every screen fits into 360 pixels', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const screen of ['answers', 'tools', 'archive', 'upstreams', 'check']) {
    await page.goto(ui(screen));
    await page.locator('.screen').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, screen);
  }
  await page.setViewportSize(WINDOW);
});

test('a page of another origin can do nothing', async () => {
  const other = createServer((_, reply) => { reply.setHeader('Content-Type', 'text/html'); reply.end('<!doctype html><title>other</title>'); });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    const attacker = await browser.context.newPage();
    await attacker.goto(`http://127.0.0.1:${other.address().port}/`);
    const got = await attacker.evaluate(async (origin) => {
      const tried = {};
      const attempt = async (name, work) => { try { tried[name] = await work(); } catch { tried[name] = 'refused'; } };
      const post = (mode, headers = {}) => fetch(origin + '/api/v1/logout', { method: 'POST', mode, credentials: 'include', headers, body: '{}' });
      await attempt('read', async () => (await fetch(origin + '/api/v1/answers', { credentials: 'include' })).status);
      await attempt('logout', async () => (await post('no-cors')).type);
      await attempt('with header', async () => (await post('cors', { 'X-Enfold-Csrf': 'x', 'Content-Type': 'application/json' })).status);
      await attempt('events', () => new Promise((resolve) => { const s = new EventSource(origin + '/api/v1/events', { withCredentials: true }); s.onmessage = () => resolve('read'); s.onerror = () => { s.close(); resolve('refused'); }; }));
      await attempt('script', () => new Promise((resolve) => { const s = document.createElement('script'); s.src = origin + '/api/v1/answers'; s.onload = () => resolve('loaded'); s.onerror = () => resolve('refused'); document.head.append(s); }));
      await attempt('frame', () => new Promise((resolve) => { const f = document.createElement('iframe'); f.src = origin + '/ui/'; f.onload = () => { try { resolve(f.contentDocument ? 'read' : 'refused'); } catch { resolve('refused'); } }; document.body.append(f); }));
      await attempt('form', () => new Promise((resolve) => { const f = document.createElement('form'); const t = document.createElement('iframe'); t.name = 'target'; t.onload = () => resolve('sent'); document.body.append(t, f); f.target = 'target'; f.method = 'POST'; f.action = origin + '/api/v1/logout'; f.submit(); }));
      return tried;
    }, gateway.origin);
    for (const name of ['read', 'with header', 'events', 'script', 'frame']) assert.equal(got[name], 'refused', name);
    await attacker.close();
    const session = await page.evaluate(async () => (await fetch('/api/v1/session')).status);
    assert.equal(session, 200, 'the session of the operator goes on');
  } finally {
    other.close();
  }
});

test('an answer that is not recorded any more says so, after one that is', async () => {
  const older = await answerOf('echo');
  const newer = await answerOf('list_issues');
  await page.route(`**/api/v1/answers/${older}`, (route) => route.fulfill({
    status: 404, contentType: 'application/json', body: JSON.stringify({ error: { code: 'not_found', message: 'the answer is not recorded', hint: 'more memory' } }) }));
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  await rows().first().click();
  await page.waitForURL(new RegExp(`answers/${newer}`));
  await page.locator('.pane .line').first().waitFor();
  await page.keyboard.press('[');
  await page.getByText('This answer is not recorded any more').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  noProblems();
});

test('an original from the archive is not called what the model got', async () => {
  const id = await answerOf('list_issues');
  await page.route(`**/api/v1/answers/${id}`, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), given: false } });
  });
  await page.goto(ui(`answers/${id}`));
  await page.getByText('The answer itself is not recorded any more').waitFor();
  assert.doesNotMatch(await page.locator('#app').innerText(), /as it was given|what the model got/i);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a fit of one answer is never shown as that of another', async () => {
  const first = await answerOf('list_issues');
  const second = await answerOf('log');
  await page.goto(ui(`answers/${second}?tokens=300`));
  await page.getByText('What the model would get').waitFor();
  await page.route(`**/api/v1/answers/${first}/fit`, (route) => route.abort());
  await page.evaluate((to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }, `/ui/answers/${first}?tokens=300`);
  await page.locator('.failure').waitFor();
  assert.match(await page.locator('.summary h1').innerText(), /list_issues/);
  assert.equal(await page.getByText('What the model would get').count(), 0);
  await page.unrouteAll({ behavior: 'wait' });
});

test('another contract or level keeps the limits of the answer', async () => {
  const id = await answerOf('echo');
  const asked = page.waitForRequest(`**/api/v1/answers/${id}/fit`);
  await page.goto(ui(`answers/${id}?level=minimal`));
  const { settings } = await api(`/answers/${id}`);
  const { budget } = (await asked).postDataJSON();
  assert.equal(budget.tokens, settings.budget.tokens);
  assert.equal(budget.target, settings.target);
});

test('rows that come while older ones load are shown', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  const shown = await page.evaluate(() => document.querySelector('[role=grid]').getAttribute('aria-rowcount'));
  let called = false;
  await page.route('**/api/v1/answers?*', async (route) => {
    const reply = await route.fetch();
    const json = await reply.json();
    if (!route.request().url().includes('before=')) return route.fulfill({ json: { ...json, has_more: true } });
    if (!called) {
      called = true;
      await client.call('echo');
      await page.waitForTimeout(700);  // until the stream has brought the row
    }
    return route.fulfill({ json });
  });
  await page.goto(ui('answers?'));
  await rows().first().waitFor();
  await page.waitForFunction((rows) => Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) === rows + 1, Number(shown));
  await page.unrouteAll({ behavior: 'wait' });
});

test('the link to the content moves the focus', async () => {
  await page.goto(ui('tools'));
  await page.locator('.screen').waitFor();
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
});

test('after a restart of the gateway nothing of the old one is shown', async () => {
  const old = await startGateway(enfold);
  const tab = await newPage(browser.context, old);
  tab.setDefaultTimeout(20_000);
  await tab.goto(old.links[0]);
  await tab.getByText('No answers yet').waitFor();
  await (await connectClient(old)).call('echo');
  await tab.locator('[role=grid] [role=row][id]').first().waitFor();
  await old.close();
  const next = await startGateway(enfold, { address: new URL(old.origin).host });
  try {
    await tab.getByLabel('Key or token').fill(new URL(next.links[0]).searchParams.get('token'));
    await tab.getByRole('button', { name: 'Log in' }).click();
    await tab.getByText('No answers yet').waitFor();
    await (await connectClient(next)).call('fail');
    await tab.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][id]').length === 1);
    assert.match(await tab.locator('[role=grid] [role=row][id]').innerText(), /fail/);
  } finally {
    await tab.close();
    await next.close();
  }
});

test('the page is at most 150 KB compressed', async () => {
  let total = 0;
  for (const name of ['', 'app.js', 'app.css', 'icon.svg']) {
    const reply = await fetch(ui(name), { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(reply.headers.get('content-encoding'), 'gzip');
    total += Number(reply.headers.get('content-length'));
  }
  assert.ok(total > 10_000 && total < 150 * 1024, `${total} bytes`);
});

test('the offline picture shows the same marks, and requests nothing', async () => {
  const file = `${gateway.folder}/picture.html`;
  run(enfold, ['fit', '--budget', '800', '--explain', '--html', file, '--archive', other(), FILE]);
  const picture = await newPage(browser.context, gateway);
  const requests = [];
  picture.on('request', (request) => requests.push(request.url()));
  await picture.goto(`file://${file}`);
  await picture.locator('.pane .line').first().waitFor();
  assert.ok(await picture.locator('.m-dropped').count() > 0);
  assert.match(await picture.locator('.big').innerText(), /780/);
  assert.deepEqual(requests, [`file://${file}`]);
  assert.deepEqual(picture.problems.filter((problem) => !problem.startsWith('request to')), []);
  assert.deepEqual(await picture.evaluate(() => window.violations), []);
  await picture.close();
});
