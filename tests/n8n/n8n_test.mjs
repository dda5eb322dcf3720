// SPDX-License-Identifier: Apache-2.0
// The schema of `generic` by n8n's own way, JSON Schema to Zod, and the workflow of docs/guide/n8n.md.
//   n8n_test.mjs ENFOLD ROOT
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [enfold, root] = process.argv.slice(2);
const require = createRequire(join(root, "tests/peers/n8n/package.json"));
const { jsonSchemaToZod } = require("@n8n/json-schema-to-zod");
const { z } = require("zod");

const run = (args, input) => execFileSync(enfold, args, { encoding: "utf8", input });

const schema = JSON.parse(run(["schema", "generic", "--draft", "7"]));
assert.equal(schema.$schema, "http://json-schema.org/draft-07/schema#");
assert.equal(schema.additionalProperties, true);
assert.deepEqual(schema.properties.status.anyOf[0].enum, ["success", "error", "partial", null]);
assert.ok(!run(["schema", "response-v2", "--draft", "7"]).includes("$defs"));
// As the node Structured Output Parser does it.
const parser = z.object({ output: jsonSchemaToZod(schema) });

const good = [
  { toolName: "a", responseType: "list", data: [{ id: 1 }], pagination: { offset: 0, limit: 1, hasMore: true, nextOffset: "x" },
    summary: { total: 9, returned: 1, hasMore: true }, other: { kept: true } },
  { toolName: "a", responseType: "single", data: { id: 1, deep: { list: [1] } } },
  { toolName: "a", responseType: "action", data: { id: "1" }, status: "success", message: "Sent" },
  { toolName: "a", responseType: "action", status: "partial", pagination: null, summary: null, metadata: null },
  { toolName: "a", responseType: "error", status: "error", message: "m", error: { code: -32603, message: "m", details: { a: 1 } } },
  { toolName: "a", responseType: "tool_catalog", data: [{ name: "x" }], metadata: { any: 1 } },
];
const made = [
  ["list_issues", { issues: [{ id: 1 }], total: 3 }],
  ["send_message", { success: true, id: "9" }],
  ["get_user", { success: false, error: "Not found: 7" }],
];
for (const [tool, answer] of made) good.push(JSON.parse(run(["parse", "--tool", tool], JSON.stringify(answer))));
for (const one of good) {
  const result = parser.safeParse({ output: one });
  assert.ok(result.success, JSON.stringify([one, result.error?.issues]));
  assert.deepEqual(result.data.output, one);
}
const bad = [
  { responseType: "list", data: [] },
  { toolName: "", responseType: "list" },
  { toolName: "a", responseType: "table" },
  { toolName: "a", responseType: "list", data: "text" },
  { toolName: "a", responseType: "action", status: 3 },
  { toolName: "a", responseType: "list", pagination: { hasMore: "yes" } },
  { toolName: "a", responseType: "error", message: 3 },
];
for (const one of bad) assert.ok(!parser.safeParse({ output: one }).success, JSON.stringify(one));

const workflow = JSON.parse(readFileSync(join(root, "docs/guide/n8n-workflow.json"), "utf8"));
const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
assert.equal(nodes.size, workflow.nodes.length);
assert.equal(new Set(workflow.nodes.map((node) => node.id)).size, workflow.nodes.length);
for (const node of workflow.nodes) {
  assert.match(node.type, /^n8n-nodes-base\./);
  assert.equal(typeof node.typeVersion, "number");
  assert.equal(node.position.length, 2);
  assert.equal(typeof node.parameters, "object");
}
const reached = new Set(["Start"]);
for (const [from, { main }] of Object.entries(workflow.connections)) {
  assert.ok(nodes.has(from), from);
  for (const { node, type, index } of main.flat()) {
    assert.ok(nodes.has(node) && type === "main" && index === 0, node);
    reached.add(node);
  }
}
assert.deepEqual([...reached].sort(), [...nodes.keys()].sort());

// The code of its nodes, on an answer of `enfold parse`.
const code = (name, items) => new Function("$input", nodes.get(name).parameters.jsCode)({ all: () => items });
const stdout = run(["parse", "--tool", "list_issues"], JSON.stringify({ issues: [{ id: 1 }, { id: 2 }] }));
const read = code("Read the answer", [{ json: { stdout } }]);
assert.equal(read[0].json.responseType, "list");
assert.deepEqual(code("One item for each record", read), [{ json: { id: 1 } }, { json: { id: 2 } }]);
console.log(`${good.length} good and ${bad.length} bad answers, ${nodes.size} nodes`);
