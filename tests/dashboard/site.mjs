// SPDX-License-Identifier: Apache-2.0
// What the tests of one file share: a gateway with the tool server, and a page of its dashboard that is
// logged in. The variables are set before the first test.
import { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { connectClient, newPage, startBrowser, startGateway } from './harness.mjs';

export const enfold = process.argv[2];
export const FILE = 'examples/answers/list_issues.json';
export const WINDOW = { width: 1440, height: 900 };
export let gateway;
export let browser;
export let page;
export let client;

export const ui = (path = '') => `${gateway.origin}/ui/${path}`;
export const other = () => `${gateway.folder}/other.db`;
export const rows = () => page.locator('[role=grid] [role=row][id]');
export const api = (path, init) => page.evaluate(async ([where, options]) => (await fetch('/api/v1' + where, options)).json(), [path, init]);

// Calls the tool and returns the id of its answer.
export async function answerOf(tool) {
  await client.call(tool);
  await page.goto(ui(`answers?tool=${tool}`));
  await rows().first().waitFor();
  return Number((await rows().first().getAttribute('id')).slice(4));
}

export async function fitTo(id, tokens) {
  await page.goto(ui(`answers/${id}?tokens=${tokens}&client=none`));
  await page.getByRole('button', { name: 'Back to what the model got' }).waitFor();
  // An answer opens at its first difference; the folded envelope is at the top.
  await page.locator('.lines').evaluateAll((boxes) => boxes.forEach((box) => { box.scrollTop = 0; }));
  await page.locator('.fold button').first().click();
}

export function noProblems() {
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
