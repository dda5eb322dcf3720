// SPDX-License-Identifier: Apache-2.0
// One answer before and after, and the offline picture of it, in Chromium in front of a real gateway.
//   node answer_test.mjs ENFOLD
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { newPage, paneLines, root, run } from './harness.mjs';
import { enfold, gateway, browser, page, client, ui, other, rows, WINDOW, api, answerOf, fitTo, noProblems, FILE } from './site.mjs';

const BEFORE = 'What the server sent';
const AFTER = 'What the model would get';

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
  assert.equal(await page.getByLabel('Limit in tokens').inputValue(), tokens);
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
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as test' }).click()]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.ok(saved.name && Object.keys(saved.files).length >= 2);
});

test('to go from mark to mark reads the original no second time', async () => {
  const id = await answerOf('numbered');
  await fitTo(id, 400);
  const { before } = await api(`/answers/${id}`);
  await page.evaluate((length) => {
    const { parse } = JSON;
    window.parsed = 0;
    JSON.parse = (text, ...more) => { if (text.length === length) window.parsed++; return parse(text, ...more); };
  }, before.text.length);
  for (let step = 2; step < 5; step++) {
    await page.getByRole('button', { name: 'Next mark' }).click();
    await page.getByText(new RegExp(`${step} of \\d+ marks`)).waitFor();
  }
  assert.equal(await page.evaluate(() => window.parsed), 0);
});

test('an original that is not in the archive any more is not said to be there', async (t) => {
  const id = await answerOf('list_issues');
  const { handle } = await api(`/answers/${id}`);
  let entries = null;
  t.after(() => page.unrouteAll({ behavior: 'wait' }));
  await page.route('**/api/v1/archive?handle=*', (route) => (entries ? route.fulfill({ json: { entries, total: 0 } })
    : route.fulfill({ status: 429, json: { error: { code: 'unavailable', message: 'too many requests' } } })));
  const asked = page.waitForResponse('**/api/v1/archive?handle=*');
  await page.goto(ui(`answers/${id}`));
  await asked;
  await page.locator('.original-line').getByText(handle).waitFor();
  assert.doesNotMatch(await page.locator('.original-line').innerText(), /kept|not in the archive/, 'the archive did not say');
  entries = [];
  await page.goto(ui(`answers/${id}`));
  await page.getByText(`The original ${handle} is not in the archive any more.`).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Not in the archive any more' }).isDisabled(), true);
  assert.doesNotMatch(await page.locator('#app').innerText(), /in the archive only|Copy fetch call|Open in archive/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()]);
  const file = `${gateway.folder}/gone.html`;
  await download.saveAs(file);
  const saved = await newPage(browser.context, gateway);
  await saved.goto(`file://${file}`);
  await saved.getByText(`The original ${handle} is not in the archive any more.`).waitFor();
  assert.doesNotMatch(await saved.locator('#app').innerText(), /Nothing is lost|in the archive only/);
  await saved.close();
  noProblems();
});

test('secrets are redacted, and marked', async () => {
  const id = await answerOf('secret');
  await page.goto(ui(`answers/${id}`));
  await page.locator('.pane .line').first().waitFor();
  assert.doesNotMatch(await page.locator('#app').innerText(), /ghp_/);
  assert.ok(await page.locator('.m-redacted').count() > 0);
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
  assert.doesNotMatch(await page.locator('#app').innerText(), /really got|what the model got/i);
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

// The operators that write text, in each content stream of a PDF that has some.
function textsIn(pdf) {
  const texts = [];
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    if (pdf.subarray(at - 3, at).toString('latin1') === 'end') continue;
    try {
      const found = inflateSync(pdf.subarray(at + 7, pdf.indexOf('endstream', at))).toString('latin1').match(/\bT[jJ]\b/g);
      if (found) texts.push(found.length);
    } catch { /* not compressed: no page */ }
  }
  return texts;
}

test('a picture that is printed on A4 paper has both texts with their heads and all their lines', async () => {
  const file = `${gateway.folder}/printed.html`;
  run(enfold, ['fit', '--budget', '800', '--explain', '--html', file, '--archive', other(), FILE]);
  const picture = await newPage(browser.context, gateway);
  await picture.goto(`file://${file}`);
  await picture.locator('.pane .line').first().waitFor();
  const margin = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' };
  const [a4, a3] = [await picture.pdf({ format: 'A4', margin }), await picture.pdf({ format: 'A3', margin })];
  const pages = (pdf) => pdf.toString('latin1').match(/\/Type \/Page\b/g).length;
  const sum = (of) => textsIn(of).reduce((all, each) => all + each, 0);
  assert.ok(sum(a4) > 0.9 * sum(a3), `${sum(a4)} texts on A4, ${sum(a3)} on A3`);
  assert.equal(textsIn(a4).length, pages(a4), 'no page is empty');
  await picture.setViewportSize({ width: 718, height: 1000 });  // A4 without its margins
  await picture.emulateMedia({ media: 'print' });
  const shown = await picture.locator('.pane').evaluateAll((all) => all.map((pane) => {
    const head = pane.querySelector('header');
    return [getComputedStyle(pane).visibility, getComputedStyle(head).clipPath, head.getBoundingClientRect().height > 10];
  }));
  assert.deepEqual(shown, [['visible', 'none', true], ['visible', 'none', true]]);
  await picture.close();
});

// What a page says about an answer: sums, items by what happened to them, number of marks, sizes, heads.
const figures = (of) => of.evaluate(() => ({
  tokens: document.querySelector('.big').textContent,
  parts: document.querySelector('.legend').textContent,
  items: document.querySelector('.sums').textContent,
  marks: document.querySelector('.steps').textContent.replace(/^\D*\d+ of /, ''),
  panes: [...document.querySelectorAll('.pane header')].map((head) => head.textContent),
  title: document.querySelector('.summary h1').textContent,
}));

test('the saved file has the numbers of the screen, given and fitted again, and requests nothing', async () => {
  const id = await answerOf('list_issues');
  for (const [path, head] of [[`answers/${id}`, 'What the model got'], [`answers/${id}?tokens=600&client=none`, AFTER]]) {
    await page.goto(ui(path));
    await page.getByRole('heading', { name: head }).waitFor();
    await page.locator('.original-line').getByText(/until/).waitFor();
    const shown = await figures(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()]);
    const file = `${gateway.folder}/saved.html`;
    await download.saveAs(file);
    const saved = await newPage(browser.context, gateway);
    const requests = [];
    saved.on('request', (request) => requests.push(request.url()));
    await saved.setViewportSize(WINDOW);
    await saved.goto(`file://${file}`);
    await saved.locator('.pane .line').first().waitFor();
    assert.deepEqual(await figures(saved), shown);
    const text = await saved.locator('#app').innerText();
    assert.match(text, /Original kept in the archive:\s*\d+[\s\S]*until \d{4}-\d\d-\d\d/);
    assert.equal(/This is a new fit with these settings: limit 600/.test(text), head === AFTER);
    assert.match(await saved.title(), /^tools \/ list_issues, \d{4}-/);
    assert.deepEqual(requests, [`file://${file}`]);
    assert.deepEqual(await saved.evaluate(() => window.violations), []);
    assert.deepEqual(saved.problems.filter((problem) => !problem.startsWith('request to')), []);
    await saved.close();
  }
});

test('a file of the command line says that it is a new fit', async () => {
  const file = `${gateway.folder}/fitted.html`;
  run(enfold, ['fit', '--budget', '800', '--explain', '--html', file, '--archive', other(), FILE]);
  const picture = await newPage(browser.context, gateway);
  await picture.goto(`file://${file}`);
  await picture.getByText(/This is a new fit with these settings: limit 800, contract response-v2, level full/).waitFor();
  await picture.close();
});

// A number in a pointer can be the key of a member.
test('members with numbers for keys are no items of a list', async () => {
  const id = await answerOf('numbered');
  await fitTo(id, 400);
  assert.doesNotMatch((await page.locator('.sums').allInnerTexts()).join(' '), /of \/users\b/);
});

test('an answer opens at its first difference', async () => {
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}`));
  await page.locator('.line.is-selected').first().waitFor();
  const in_view = await page.evaluate(() => [...document.querySelectorAll('.lines')].map((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return [...box.querySelectorAll('.line.mark')].some((line) => { const at = line.getBoundingClientRect(); return at.top >= top && at.bottom <= bottom; });
  }));
  assert.deepEqual(in_view, [true, true]);
  assert.match(await page.locator('.detail').innerText(), /1 of \d+ marks[\s\S]*\/issues\//);
  await page.getByRole('button', { name: 'Next mark' }).click();
  await page.getByText(/2 of \d+ marks/).waitFor();
});

// To count a long answer takes time, so its row has an estimate until the answer is opened.
test('an opened answer has one number of tokens, in the list and on its page', async () => {
  for (const tool of ['list_issues', 'secret', 'echo']) {
    const id = await answerOf(tool);
    await page.goto(ui(`answers/${id}`));
    const [before, after] = /^([\d,]+)\s*→\s*([\d,]+)/.exec(await page.locator('.big').innerText()).slice(1);
    await page.goto(ui(`answers?tool=${tool}`));
    await rows().first().waitFor();
    const listed = await page.locator(`#row-${id} .c-tokens`).innerText();
    assert.equal(listed.replace(/\s/g, ''), before === after ? after : `${before}→${after}`, tool);
  }
});

test('tokens that are estimated for a client say so in words', async () => {
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}?client=claude-code`));
  await page.getByText(/tokens counted for claude-code as o200k_base \+ 50 % reserve, because its tokenizer is not known; for .* it is [\d,]+ → [\d,]+/).waitFor();
  await page.goto(ui(`answers/${id}?client=openai`));
  await page.getByText(/tokens counted with o200k_base/).waitFor();
  assert.doesNotMatch(await page.locator('#app').innerText(), /max\(|\*1\.1/);
});

test('the items of a list add up', async () => {
  const id = await answerOf('list_issues');
  await fitTo(id, 600);
  const text = await page.locator('.sums').innerText();
  const [all, ...parts] = text.match(/\d+(?= item| complete| as id and label| in the archive only| in brief| cut short)/g).map(Number);
  assert.equal(all, 120, text);
  assert.equal(parts.reduce((sum, part) => sum + part, 0), 120, text);
  assert.doesNotMatch(await page.locator('.answer-screen').evaluate((screen) => [...screen.children].map((each) => (each.matches('.before-after') ? each.querySelector('.composition') : each).innerText).join(' ')), /removed|not shown/);
  // What the bar is made of adds up to the tokens of the answer.
  const tokens = (await page.locator('.legend .number').allInnerTexts()).map((each) => Number(/([\d,]+) token/.exec(each)[1].replaceAll(',', '')));
  assert.equal(tokens.reduce((sum, each) => sum + each, 0), Number((await page.locator('.big b').innerText()).replaceAll(',', '')));
});

test('facts and rows of the index have different hues', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const hues = await page.evaluate(() => ['f-facts', 'f-row', 'f-dropped', 'f-clipped', 'f-redacted'].map((name) => {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      rect.setAttribute('class', name);
      document.querySelector('.composition svg').append(rect);
      const [r, g, b] = getComputedStyle(rect).fill.match(/\d+/g).map(Number);
      rect.remove();
      const most = Math.max(r, g, b);
      const range = most - Math.min(r, g, b);
      return ((most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range) * 60 + 360) % 360;
    }));
    hues.sort((a, b) => a - b);
    hues.forEach((hue, at) => assert.ok((hues[(at + 1) % hues.length] - hue + 360) % 360 > 25, `${colorScheme}: ${hues}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

test('the page of a cut answer says where its original is, and until when', async () => {
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}`));
  const { handle } = await api(`/answers/${id}`);
  const entry = (await api(`/archive?handle=${handle}`)).entries[0];
  const line = page.locator('.original-line');
  await line.getByText(/until/).waitFor();
  assert.match(await line.innerText(), new RegExp(`${handle}[\\s\\S]*until ${entry.expires.slice(0, 4)}-`));
  await line.getByRole('link', { name: 'open' }).click();
  await page.waitForURL(new RegExp(`archive/${handle}`));
});

test('items that are rows of the index are marked on both sides', async () => {
  const id = await answerOf('list_issues');
  await fitTo(id, 600);
  await page.locator('.sums').getByRole('button', { name: /as id and label/ }).click();
  await page.locator('.line.m-row.is-selected').first().waitFor();
  await page.locator('.line.m-index.is-selected').first().waitFor();
  const in_view = await page.evaluate(() => ['.line.m-row.is-selected', '.line.m-index.is-selected'].map((name) => {
    const line = document.querySelector(name);
    const box = line.closest('.lines').getBoundingClientRect();
    const at = line.getBoundingClientRect();
    return at.top >= box.top && at.bottom <= box.bottom;
  }));
  assert.deepEqual(in_view, [true, true]);
});

test('the envelope is folded with its cost, but facts and index are shown', async () => {
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}?tokens=600&client=none`));
  await page.getByRole('button', { name: 'Back to what the model got' }).waitFor();
  const lines = await paneLines(page, AFTER);
  assert.ok(lines.some(({ text }) => /envelope: error, meta · [\d,]+ tokens/.test(text)), lines.map(({ text }) => text).join('\n'));
  for (const mark of ['m-facts', 'm-index']) assert.ok(lines.some(({ classes }) => classes.includes(mark)), mark);
});

test('a phone shows one text at a time, and both keep their place', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  const id = await answerOf('list_issues');
  await page.goto(ui(`answers/${id}`));
  const shown = () => page.locator('.pane').evaluateAll((all) => all.map((each) => getComputedStyle(each).visibility));
  await page.getByRole('button', { name: /^Sent/ }).waitFor();
  assert.deepEqual(await shown(), ['hidden', 'visible']);
  await page.getByRole('button', { name: /^Sent/ }).click();
  assert.deepEqual(await shown(), ['visible', 'hidden']);
  await page.setViewportSize(WINDOW);
});

test('an answer that Enfold wrote itself has no golden test and no slider, and says why', async () => {
  const id = await answerOf('crash');
  const golden = await api(`/answers/${id}/golden`);
  assert.equal(golden.error.code, 'unsupported');
  await page.goto(ui(`answers/${id}?tokens=300`));
  const save = page.getByRole('button', { name: 'Save as test' });
  await save.waitFor();
  assert.equal(await save.isDisabled(), true);
  assert.match(await save.getAttribute('title'), /Enfold wrote this answer itself/);
  assert.equal(await page.getByRole('button', { name: 'Copy shell command' }).isDisabled(), true);
  await page.getByText(/Enfold wrote this answer itself, so there is no original of a server\. There is nothing to fit again/).waitFor();
  assert.equal(await page.getByRole('slider').count(), 0);
  assert.equal(await page.locator('.failure').count(), 0);
});
