// SPDX-License-Identifier: Apache-2.0
// What scrolling through a long list costs, from Chromium's own trace: tasks of the page's main thread,
// and the times between the frames that were drawn.
export async function measureScroll(page, selector) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'blink.user_timing', '__metadata'] },
  });
  await page.evaluate(() => performance.mark('scroll-begin'));
  const frames = await page.evaluate(async (wanted) => {
    const list = document.querySelector(wanted);
    const times = [];
    const range = list.scrollHeight - list.clientHeight;
    const steps = 240;
    for (let step = 0; step <= steps; step++) {
      // Slow at first, then through the whole list, as with the wheel and with the bar.
      list.scrollTop = step < 120 ? step * 60 : ((step - 120) / 120) * range;
      times.push(await new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    return { times, range };
  }, selector);
  await page.evaluate(() => performance.mark('scroll-end'));
  const done = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await done;
  const mark = (name) => events.find((event) => event.name === name);
  const begin = mark('scroll-begin');
  const end = mark('scroll-end');
  const tasks = events
    .filter((event) => event.ph === 'X' && event.pid === begin.pid && event.tid === begin.tid && /RunTask/.test(event.name))
    .filter((event) => event.ts >= begin.ts && event.ts <= end.ts);
  const gaps = frames.times.slice(1).map((time, index) => time - frames.times[index]);
  return {
    rows_range: frames.range,
    tasks: tasks.length,
    longest_task_ms: Math.max(0, ...tasks.map((event) => event.dur / 1000)),
    longest_task_cpu_ms: Math.max(0, ...tasks.map((event) => (event.tdur ?? event.dur) / 1000)),
    frames: gaps.length,
    slow_share: gaps.filter((gap) => gap > 33.4).length / gaps.length,
    longest_frame_ms: Math.max(...gaps),
  };
}
