// SPDX-License-Identifier: Apache-2.0
// server.json, which describes Enfold to the MCP registry, against the schema of the registry, by ajv.
//   node server_json.mjs SOURCE_FOLDER
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = process.argv[2];
const require = createRequire(join(root, "tests/peers/package.json"));
const Ajv = require("ajv").default;
const addFormats = require("ajv-formats").default;
const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

const schema = read("tests/packaging/registry/server.schema.json");
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
const validate = ajv.compile(schema);
const server = read("packaging/server.json");
const problems = validate(server) ? [] : validate.errors.map((one) => `${one.instancePath} ${one.message}`);
if (server.$schema !== schema.$id) problems.push(`$schema: expected ${schema.$id}, found ${server.$schema}`);
// The schema refuses what is wrong, so that accepting means something.
const wrong = [{ ...server, name: "enfold" }, { ...server, description: "x".repeat(101) }, { ...server, version: 1 },
  { ...server, packages: [{ ...server.packages[0], version: "latest" }] }];
wrong.forEach((one, i) => validate(one) && problems.push(`wrong example ${i} is accepted`));
for (const problem of problems) console.error(`error: server.json: ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
