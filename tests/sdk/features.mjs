// SPDX-License-Identifier: Apache-2.0
// What clients use beside plain calls, against examples/conformance: progress, cancellation, log
// messages, changes, resources, prompts, completion, many calls at once.
//   features.mjs --program P
import assert from 'node:assert/strict';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ways } from './clients.mjs';
import { withServer } from './started.mjs';

const { values: options } = parseArgs({ options: { program: { type: 'string' } } });

const textOf = (result) => result.content[0].text;

const features = {
  async 'progress comes before the answer'({ call, messages }) {
    messages.length = 0;
    const result = await call({ name: 'test_tool_with_progress', arguments: {} }, { onprogress: () => {} });
    assert.equal(textOf(result), 'progress done');
    const said = messages.map(({ method, params }) => (method ? [method, params.progress, params.total] : 'answer'));
    const step = (progress) => ['notifications/progress', progress, 100];
    assert.deepEqual(said, [step(0), step(50), step(100), 'answer']);
  },

  async 'a call that is withdrawn does not disturb others'({ call }) {
    const stop = new AbortController();
    const began = performance.now();
    const withdrawn = call({ name: 'test_tool_with_progress', arguments: {} }, { signal: stop.signal })
      .then(() => 'answered', (error) => error.message);
    const others = Array.from({ length: 20 }, () => call({ name: 'test_simple_text', arguments: {} }));
    await others[0];
    stop.abort('enough');
    for (const result of await Promise.all(others)) assert.match(textOf(result), /simple text/u);
    // It takes 150 ms; on a busy machine the withdrawal may come too late.
    if (performance.now() - began < 150) assert.match(await withdrawn, /enough/u);
  },

  async 'log messages come from the wished level on'({ client, call, onNotice, era }) {
    const said = [];
    onNotice('notifications/message', ({ params }) => said.push([params.level, params.data]));
    const wish = era === 'stateless' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } } : {};
    if (era === 'sessions') await client.setLoggingLevel('info');
    await call({ name: 'test_logging_tool', arguments: {}, ...wish });
    assert.deepEqual(said.map(([level]) => level), ['info', 'info', 'info']);
    if (era === 'sessions') await client.setLoggingLevel('error');
    await call({ name: 'test_logging_tool', arguments: {} });
    assert.equal(said.length, 3);
  },

  async 'changes are told to those who want to know'({ client, call, onNotice, era }) {
    const told = new Promise((resolve) => { onNotice('notifications/tools/list_changed', resolve); });
    const listening = era === 'stateless' ? await client.listen({ toolsListChanged: true }) : undefined;
    await call({ name: 'test_trigger_tool_change', arguments: {} });
    assert.equal((await told).method, 'notifications/tools/list_changed');
    await listening?.close();
  },

  async 'resources are listed and read, also by a template'({ client }) {
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual([resources.length, resourceTemplates.length], [3, 1]);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      assert.equal(contents[0].uri, uri);
      assert.ok(contents[0].text ?? contents[0].blob);
    }
    const { contents } = await client.readResource({ uri: 'test://template/7%2F8/data' });
    assert.equal(JSON.parse(contents[0].text).id, '7/8');
    await assert.rejects(client.readResource({ uri: 'test://none' }), /not found/u);
  },

  async 'prompts are listed, filled and may ask'({ client }) {
    const { prompts } = await client.listPrompts();
    assert.equal(prompts.length, 5);
    const filled = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } });
    assert.match(filled.messages[0].content.text, /arg1='a', arg2='b'/u);
    await assert.rejects(client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a' } }), /arg2/u);
    const asked = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    assert.equal(asked.messages[0].content.text, 'Context: Ada');
  },

  async 'arguments are completed'({ client }) {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 'par' },
    });
    assert.deepEqual(completion.values, ['paris', 'park', 'party']);
  },

  async 'an unknown tool is refused with the one that was meant'({ call }) {
    await assert.rejects(call({ name: 'test_simple_txt', arguments: {} }), /did you mean "test_simple_text"/u);
  },
};

async function check(way, transport) {
  const failed = [];
  await withServer(transport, path.resolve(options.program), [], async (place) => {
    const connected = await way.connect(place);
    // As they come: a client that gets a notification and an answer at once may forget the first.
    const messages = [];
    const { transport: line } = connected;
    const take = line.onmessage;
    line.onmessage = (message, extra) => {
      messages.push(message);
      take(message, extra);
    };
    for (const [name, feature] of Object.entries(features)) {
      try {
        await feature({ ...connected, messages, era: way.era });
      } catch (error) {
        failed.push(`${name}: ${error.stack}`);
      }
    }
    await connected.client.close();
  });
  return failed;
}

const places = ['stdio', 'http'].flatMap((transport) => ways.map((way) => [way, transport]));
const reports = await Promise.all(places.map(([way, transport]) => check(way, transport).catch((error) => [error.stack])));
reports.forEach((failed, index) => {
  const [way, transport] = places[index];
  console.log(`${way.name} over ${transport}: ${Object.keys(features).length} features, ${failed.length} failed`);
  for (const one of failed) console.log(`  ${one}`);
});
process.exit(reports.every((failed) => failed.length === 0) ? 0 : 1);
