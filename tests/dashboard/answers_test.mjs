// SPDX-License-Identifier: Apache-2.0
// The list of answers, in Chromium in front of a real gateway.
//   node answers_test.mjs ENFOLD
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gateway, page, client, ui, rows, api, noProblems } from './site.mjs';

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

// Counts the rows that the event stream brings to the page.
const countStreamed = () => page.addInitScript(() => {
  if (window.streamed !== undefined) return;
  window.streamed = 0;
  window.EventSource = class extends EventSource {
    constructor(...all) {
      super(...all);
      this.addEventListener('answers', ({ data }) => { window.streamed += JSON.parse(data).answers.length; });
    }
  };
});

// The API as a gateway with more than one page of answers shows it. `reloads`: when the event stream opens, more
// rows are new than one page has, so that the list loads anew.
async function withOlderRows(t, older, { reloads = false, end = () => {} } = {}) {
  t.after(async () => {
    end();
    await page.unrouteAll({ behavior: 'wait' });
  });
  await page.route('**/api/v1/answers?*', async (route) => {
    const json = await (await route.fetch()).json();
    const asked = new URL(route.request().url()).searchParams;
    if (!asked.has('before')) return route.fulfill({ json: { ...json, has_more: reloads || !asked.has('after') } });
    await older();
    return route.fulfill({ json });
  });
}

test('rows that come while older ones load are shown', { timeout: 60_000 }, async (t) => {
  await countStreamed();
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  const count = () => page.evaluate(() => Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')));
  const shown = await count();
  let meanwhile = null;  // rows while the older ones load, after the stream brought one
  await withOlderRows(t, async () => {
    if (meanwhile !== null) return;
    // The stream brings what is new after it was opened; the list catches up with what was before.
    await streamIsOpen;
    const before = await page.evaluate(() => window.streamed);
    await client.call('echo');
    await page.waitForFunction((old) => window.streamed > old, before);
    meanwhile = await count();
  });
  const streamIsOpen = page.waitForResponse('**/api/v1/events');
  await page.goto(ui('answers?'));
  await rows().first().waitFor();
  await page.waitForFunction((rows) => Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) === rows + 1, shown);
  assert.equal(meanwhile, shown, 'it waits until the older rows are there');
});

test('older rows are asked for again when the stream made the list load anew', { timeout: 60_000 }, async (t) => {
  let opened;
  const asked = new Promise((resolve) => { opened = resolve; });
  let repeated;
  const again = new Promise((resolve) => { repeated = resolve; });
  let requests = 0;
  await withOlderRows(t, async () => {
    if (++requests > 1) return repeated();
    opened();
    await again;  // the first request is still open when the list loads anew
  }, { reloads: true, end: () => repeated() });
  await page.route('**/api/v1/events', async (route) => { await asked; await route.continue(); });
  await page.goto(ui('answers'));
  await again;
  assert.equal(requests, 2);
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

test('every column has a head, which says what it is', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  const heads = page.getByRole('columnheader');
  assert.deepEqual((await heads.allInnerTexts()).filter((text) => !text.trim()), []);
  const titles = await heads.evaluateAll((all) => all.map((each) => each.title));
  assert.deepEqual(titles.filter((title) => !title), []);
});

// What a part of a bar is painted with, light and dark.
const colourOf = (name) => page.evaluate((variable) => {
  const probe = document.createElement('i');
  probe.style.background = `var(${variable})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return colour;
}, name);

test('only cut answers have a bar, grey for what was got and amber for the rest; growth is a number, and its reason if that is known', async () => {
  await client.call('secret');
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  assert.match(await rows().first().innerText(), /secret[\s\S]*redacted/);
  const found = await rows().evaluateAll((all) => all.map((row) => {
    const bar = row.querySelector('.flow');
    const [before, after] = row.querySelector('.c-tokens').textContent.replace(/[≈,\s]/g, '').split('→').map(Number);
    return { is_cut: row.querySelector('.w-cut') !== null, is_redacted: row.querySelector('.w-redacted') !== null, before, after: after ?? before, width: bar?.clientWidth, change: row.querySelector('.c-bar').textContent,
      parts: [...bar?.children ?? []].map((part) => [part.getBoundingClientRect().width, getComputedStyle(part).backgroundColor]) };
  }));
  const [grey, amber] = [await colourOf('--fill'), await colourOf('--cut-fill')];
  assert.ok(found.some(({ is_cut }) => is_cut) && found.some(({ before, after }) => after > before), JSON.stringify(found));
  const width = found.find(({ is_cut }) => is_cut).width;
  for (const { is_cut, is_redacted, before, after, width: own, parts, change } of found) {
    if (is_cut) {
      assert.equal(own, width);
      assert.deepEqual(parts.map(([, colour]) => colour), [grey, amber]);
      assert.ok(Math.abs(parts[0][0] - (width * after) / before) < 1, `${before} → ${after}: ${parts}`);
      assert.ok(Math.abs(parts[0][0] + parts[1][0] - width) < 1);
      assert.match(change, /^−[\d.]+ %$/);
    } else {
      assert.equal(own, undefined);
      if (after > before) assert.equal(change.replace(/[,\s]/g, '').replace(/^[A-Za-z]+/, ''), `+${after - before}`);
      if (after !== before) assert.match(change, is_redacted ? /^[+−]/ : /^(envelope|text as JSON)\+/);
    }
  }
});

test('the bars of a phone are as long in every row', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await client.call('log');
  await page.goto(ui('answers?what=cut'));
  await page.waitForFunction(() => document.querySelectorAll('.row .flow').length > 1);
  const widths = await page.locator('.row .flow').evaluateAll((all) => all.map((bar) => bar.clientWidth));
  assert.deepEqual([...new Set(widths)], [64]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a gateway without an archive is not said to keep what it cuts', async (t) => {
  t.after(() => page.unrouteAll({ behavior: 'wait' }));
  await page.route('**/api/v1/session', async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), has_archive: false } }));
  await page.route('**/api/v1/answers?*', async (route) => {
    const json = await (await route.fetch()).json();
    await route.fulfill({ json: { ...json, answers: json.answers.map((row) => ({ ...row, handle: null })) } });
  });
  await page.goto(ui('answers?what=cut'));
  await rows().first().waitFor();
  assert.match(await rows().first().locator('.c-bar').getAttribute('title'), /Enfold cut the answer; no original was archived for it/);
  for (const screen of ['answers?what=cut', 'tools']) {
    await page.goto(ui(screen));
    await (screen === 'tools' ? page.locator('.strip b').first() : rows().first()).waitFor();
    const said = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll('#app [title]')].map((each) => each.title)].join('\n'));
    assert.doesNotMatch(said, /in the archive|(?<!no )originals? (is|was) archived/, screen);
  }
});

test('the original of a cut answer is one click away', async () => {
  await page.goto(ui('answers?what=cut'));
  await rows().first().waitFor();
  const { answers } = await api('/answers?what=cut&limit=1');
  await rows().first().getByRole('link', { name: 'original' }).click();
  await page.waitForURL(new RegExp(`archive/${answers[0].handle}`));
});
