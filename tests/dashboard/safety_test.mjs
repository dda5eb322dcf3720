// SPDX-License-Identifier: Apache-2.0
// Hostile content, other origins, restarts, in Chromium in front of a real gateway.
//   node safety_test.mjs ENFOLD
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connectClient, newPage, startGateway } from './harness.mjs';
import { enfold, gateway, browser, page, ui, other, rows, api, noProblems } from './site.mjs';

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
