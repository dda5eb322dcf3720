// SPDX-License-Identifier: Apache-2.0
// The archive and its console, in Chromium in front of a real gateway.
//   node archive_test.mjs ENFOLD
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { run } from './harness.mjs';
import { enfold, gateway, page, ui, api, answerOf, noProblems } from './site.mjs';

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

test('originals of an upstream that is not known can be chosen', async (t) => {
  await answerOf('list_issues');
  t.after(() => page.unrouteAll({ behavior: 'wait' }));
  await page.route('**/api/v1/archive/stats', async (route) => {
    const json = await (await route.fetch()).json();
    await route.fulfill({ json: { ...json, by_tool: [...json.by_tool, { name: 'list_issues', upstream: null, entries: 1, bytes: 10, opened: 0 }] } });
  });
  await page.goto(ui('archive?tool=list_issues'));
  const unknown = page.getByRole('button', { name: 'list_issues', exact: true });
  await unknown.waitFor();
  assert.equal(await page.locator('.groups [aria-pressed=true]').count(), 0, 'any upstream is wanted');
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('upstream') === '(unknown)');
  await unknown.click();
  await asked;
  await page.getByText('No archived answer matches').waitFor();
  assert.deepEqual(await page.locator('.groups [aria-pressed=true]').allInnerTexts(), ['list_issues']);
  noProblems();
});

test('the originals of an archive are not said to be those of recent answers', async (t) => {
  await answerOf('list_issues');
  t.after(() => page.unrouteAll({ behavior: 'wait' }));
  await page.route('**/api/v1/archive/stats', async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), entries: 6, answers: 1 } }));
  await page.goto(ui('archive'));
  await page.locator('.strip b').first().waitFor();
  assert.match(await page.locator('.strip').innerText(), /6\s*originals; equal ones are stored once\s+1\s*recent cut answer\s+[\d.]+ \w+\s*of data, [\d.]+ \w+ stored/);
});

test('integers above 2^53 are exact in the table, as JSON and as CSV', async () => {
  const id = await answerOf('ids');
  const { row } = await api(`/answers/${id}`);
  await page.goto(ui(`archive/${row.handle}?sql=${encodeURIComponent('select id, label from items limit 3')}`));
  const cells = page.locator('.result-table tbody tr');
  await cells.first().waitFor();
  const wanted = ['9007199254740993', '9007199254740995', '9007199254740997'];
  assert.deepEqual((await cells.allInnerTexts()).map((text) => text.split('\t')[0]), wanted);
  assert.ok((await cells.first().locator('td').first().getAttribute('class')).includes('number'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const csv = readFileSync(await download.path(), 'utf8').trim().split('\r\n');
  assert.deepEqual(csv, ['id,label', ...wanted.map((number, at) => `${number},"number: ${9007199254740993n + 2n * BigInt(at)}, exact"`)]);
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.locator('.json-view .line').first().waitFor();
  const json = await page.locator('.json-view').innerText();
  for (const number of wanted) assert.match(json, new RegExp(`id: ${number},`));
  noProblems();
});
