// SPDX-License-Identifier: Apache-2.0
// The other screens, and what all screens have in common: keys, labels, narrow windows, in Chromium in front of a real gateway.
//   node screens_test.mjs ENFOLD
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { gateway, page, ui, other, rows, WINDOW, api, answerOf, noProblems } from './site.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

test('the check runs, and its findings stay in the history', async () => {
  await answerOf('fail');
  await page.goto(ui('check'));
  for (const run of [1, 2]) {
    await page.getByRole('button', { name: 'Run the check' }).click();
    await page.waitForURL(new RegExp(`run=${run}$`));
    await page.locator('.finding').first().waitFor();
    await answerOf('echo');
    await page.goto(ui('check'));
  }
  const history = page.locator('.history a');
  await history.nth(1).waitFor();
  assert.equal(await history.count(), 2);
  assert.match(await page.locator('.strip-line').first().innerText(), /, 2 recorded answers/);
  await history.nth(1).click();
  await page.waitForURL(/run=1$/);
  await page.getByText(/, 1 recorded answer \(/).waitFor();
  assert.equal(await history.nth(1).getAttribute('aria-current'), 'true');
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

test('every screen fits into 360 pixels', async () => {
  await answerOf('list_issues');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const screen of ['answers', 'tools', 'archive', 'upstreams', 'check']) {
    await page.goto(ui(screen));
    await page.locator('.screen').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, screen);
    const cut = await page.evaluate(() => [...document.querySelectorAll('.toolbar button, .toolbar select, .toolbar input, .toolbar .button')]
      .filter((each) => { const box = each.getBoundingClientRect(); return box.width > 0 && (box.left < 0 || box.right > innerWidth); }).map((each) => each.textContent));
    assert.deepEqual(cut, [], `${screen}: controls are cut`);
  }
  await page.setViewportSize(WINDOW);
});

test('axe finds nothing serious on any screen, light and dark, large and small', async () => {
  const id = await answerOf('list_issues');
  const handle = (await api(`/answers/${id}`)).row.handle;
  const screens = ['answers', `answers/${id}`, 'tools', 'archive', `archive/${handle}?sql=select+*+from+issues+limit+3`, 'upstreams', 'check'];
  for (const [colorScheme, size] of [['light', WINDOW], ['dark', WINDOW], ['light', { width: 360, height: 740 }]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    for (const screen of screens) {
      await page.goto(ui(screen));
      await page.locator('.screen, .empty').first().waitFor();
      if (screen.includes('?sql')) await page.locator('.result-table').waitFor();
      if (/^answers\//.test(screen)) await page.locator('.pane .line:visible').first().waitFor();
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
  await page.setViewportSize(WINDOW);
  await page.emulateMedia({ colorScheme: 'light' });
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

test('the link to the content moves the focus', async () => {
  await page.goto(ui('tools'));
  await page.locator('.screen').waitFor();
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
});

test('every tile of the tools can be read, also a small one', async () => {
  await answerOf('list_issues');
  await answerOf('echo');
  await page.goto(ui('tools'));
  const others = page.getByRole('link', { name: /\d+ other tools?: [\d,]+ tokens/ });
  const tile = page.getByRole('link', { name: /tools \/ echo: [\d,]+ → [\d,]+ tokens/ });
  await page.locator('.treemap a').first().waitFor();
  // Of what is too small to read there is one tile, which opens.
  for (let depth = 0; depth < 8 && !(await tile.count()); depth++) {
    const to = await others.getAttribute('href');
    await others.click();
    await page.waitForFunction((old) => ![...document.querySelectorAll('.treemap a')].some((each) => each.getAttribute('href') === old), to);
    await tile.or(others).first().waitFor();
  }
  await tile.focus();
  await page.locator('.tile-detail').getByText(/tools \/ echo: [\d,]+ → [\d,]+ tokens/).waitFor();
  const cut = await page.locator('.treemap a').evaluateAll((all) => all.filter((each) => {
    const { width } = each.querySelector('.tile-ground').getBoundingClientRect();
    return [...each.querySelectorAll('text')].some((text) => /…/.test(text.textContent) || text.getBoundingClientRect().width > width);
  }).map((each) => each.textContent));
  assert.deepEqual(cut, []);
});

test('durations say that they are upper bounds, and a short history says so', async () => {
  await answerOf('echo');
  await page.goto(ui('tools?q=echo'));
  const row = page.locator('.data tbody tr').first();
  await row.waitFor();
  assert.match(await row.innerText(), /≤ [\d.,]+\s+≤ [\d.,]+\s+\d min so far/);
  assert.match(await row.innerText(), /\+[\d.]+ %/, 'answers that grew are not called saved');
});

test('findings are sentences that name the limit of the client', async () => {
  await answerOf('list_issues');
  await page.goto(ui('check'));
  await page.getByRole('button', { name: 'Run the check' }).click();
  await page.locator('.finding').getByText(/[\d,]+ tokens; a client of the profile "generic" shows at most 10,000/).first().waitFor();
});

test('findings tell what Enfold does about them already, and lead to the answers', async () => {
  await answerOf('list_issues');
  await page.goto(ui('check'));
  await page.getByRole('button', { name: 'Run the check' }).click();
  const finding = page.locator('.finding').filter({ hasText: 'list_issues' }).first();
  await finding.getByText(/Enfold cuts it to the limit of each client/).waitFor();
  assert.doesNotMatch(await page.locator('.findings').innerText(), /enfold (wrap|serve)/);
  await page.getByText(/\d+ definitions of tools, \d+ recorded answers? \(of each tool at most the newest 20\) and 0 calls were checked/).waitFor();
  await finding.getByRole('link', { name: 'a recorded answer' }).click();
  await page.waitForURL(/answers\?upstream=tools&tool=list_issues/);
});

test('a phone shows cards that have all that the tables have', async () => {
  await answerOf('list_issues');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [screen, words] of [['tools', /Calls\s*\d+[\s\S]*Change/], ['archive', /Expires\s*in[\s\S]*Size\s*\d+/], ['upstreams', /Circuit\s*ok[\s\S]*Tools\s*\d+/]]) {
    await page.goto(ui(screen));
    const card = page.locator('.cards > li').first();
    await card.waitFor();
    assert.match(await card.innerText(), words, screen);
    assert.equal(await page.locator('.scroll-x').count(), 0, screen);
    assert.ok(await card.evaluate((each) => each.scrollWidth <= each.clientWidth), screen);
  }
  await page.setViewportSize(WINDOW);
  noProblems();
});

test('the archive says how many answers its originals belong to, and to which upstream', async () => {
  await answerOf('list_issues');
  await page.goto(ui('archive'));
  assert.match((await page.locator('.strip').innerText()).replace(/\s+/g, ' '), /\d+ originals?; equal ones are stored once \d+ recent cut answers?/);
  const row = page.locator('[data-entry]').filter({ hasText: 'list_issues' }).first();
  assert.match(await row.innerText(), /tools \/ list_issues/);
});

test('upstreams count what their tools reported as failed', async () => {
  await answerOf('fail');
  await page.goto(ui('upstreams'));
  const link = page.locator('[data-entry]').first().getByRole('link', { name: /^[1-9]\d*$/ });
  await link.click();
  await page.waitForURL(/answers\?upstream=tools&what=failed/);
});

test('kept is grey and left out is amber, in the list, the tiles and the bar of an answer', async () => {
  const id = await answerOf('list_issues');
  const channels = (text) => { const [r, g, b] = text.match(/\d+/g).map(Number); return { warm: r - b, spread: Math.max(r, g, b) - Math.min(r, g, b) }; };
  for (const [path, kept, left] of [['answers?what=cut', '.flow-got', '.flow-cut'], ['tools', '.tile-ground', '.tile-cut'], ['tools', '.flow-got', '.flow-cut'], [`answers/${id}`, '.composition .f-whole', '.sums .f-dropped']]) {
    await page.goto(ui(path));
    await page.locator(left).first().waitFor({ state: 'attached' });
    const [grey, amber] = await page.evaluate((names) => names.map((name) => { const style = getComputedStyle(document.querySelector(name)); return name.includes('flow') ? style.backgroundColor : style.fill; }), [kept, left]);
    assert.ok(channels(grey).spread < 40, `${path} ${kept} ${grey}`);
    assert.ok(channels(amber).warm > 80, `${path} ${left} ${amber}`);
  }
});

// WCAG 1.4.11: what shows where a control is has 3:1 to what is around it.
test('the edges of controls can be seen', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.goto(ui('answers'));
    await rows().first().waitFor();
    const ratios = await page.locator('.toolbar :is(input, select, button, .button)').evaluateAll((all) => {
      const light = (text) => { const [r, g, b] = text.match(/[\d.]+/g).map((each) => { const c = Number(each) / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ground = light(getComputedStyle(document.body).backgroundColor) + 0.05;
      return all.map((each) => { const edge = light(getComputedStyle(each).borderTopColor) + 0.05; return Math.max(edge, ground) / Math.min(edge, ground); });
    });
    assert.ok(ratios.length > 2 && ratios.every((ratio) => ratio >= 3), `${colorScheme}: ${ratios}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

test('large numbers have three digits and the unit that fits them', async () => {
  const { short } = await import('../../web/src/parts/format.ts');
  assert.deepEqual([9_999, 10_000, 999_499, 999_500, 999_999, 1_000_000, 999_499_999, 999_500_000, 999_999_999].map(short),
    ['9,999', '10.0 k', '999 k', '1 M', '1 M', '1 M', '999 M', '1 G', '1 G'].map((text) => text.replace('.0', '')));
});

test('only a gateway without an archive says that it has none', async (t) => {
  t.after(() => page.unrouteAll({ behavior: 'wait' }));
  let is_busy = true;
  await page.route('**/api/v1/archive/stats', (route) => (is_busy ? route.fulfill({ status: 429, json: { error: { code: 'unavailable', message: 'too many requests' } } }) : route.continue()));
  const asked = page.waitForResponse('**/api/v1/archive/stats');
  await page.goto(ui('upstreams'));
  await asked;
  await page.getByText(/kept in memory only/).waitFor();
  assert.doesNotMatch(await page.locator('#app').innerText(), /There is no archive/);
  is_busy = false;
  await page.getByText(/originals of answers that were cut are in the archive/).waitFor({ timeout: 20_000 });
});

test('what is in memory and what is on disk are told apart', async () => {
  await page.goto(ui('upstreams'));
  await page.getByText(/kept in memory only[\s\S]*originals of answers that were cut are in the archive/).waitFor();
  assert.doesNotMatch(await page.locator('#app').innerText(), /no limit|written to disk/);
});
