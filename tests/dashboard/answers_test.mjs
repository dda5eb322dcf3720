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

test('the export is the log of the gateway', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export' }).click()]);
  const exported = readFileSync(await download.path(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const logged = gateway.log.filter((line) => line.includes('"event":"call"')).map((line) => JSON.parse(line));
  const essence = (of) => of.map(({ request_id, tool, tokens_before, tokens_after, outcome }) => [request_id, tool, tokens_before, tokens_after, outcome]);
  assert.deepEqual(essence(exported), essence(logged));
});

test('every column has a head, and the bar says what it is', async () => {
  await page.goto(ui('answers'));
  await rows().first().waitFor();
  const heads = page.getByRole('columnheader');
  assert.deepEqual((await heads.allInnerTexts()).filter((text) => !text.trim()), []);
  assert.match(await page.getByRole('columnheader', { name: 'Size · kept' }).getAttribute('title'), /length .* filled/);
});
