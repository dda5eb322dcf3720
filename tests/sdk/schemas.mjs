// SPDX-License-Identifier: Apache-2.0
// Announced schemas, compiled without mercy for unknown formats and keywords. Clients still read
// them as draft-07 when they say nothing, so they have to mean the same in both drafts.
import { createRequire } from 'node:module';

const peers = createRequire(new URL('../peers/package.json', import.meta.url));
const { Ajv } = peers('ajv');
const { Ajv2020 } = peers('ajv/dist/2020.js');
const addFormats = peers('ajv-formats');

const settings = { strictSchema: true, strictTypes: false, strictRequired: false, allErrors: true };

function compiler(Kind) {
  const ajv = new Kind(settings);
  addFormats.default(ajv);
  ajv.addVocabulary(['x-mcp-header', '$anchor']);  // it obeys $anchor, but calls it unknown
  return ajv;
}

const draft7 = compiler(Ajv);
const draft2020 = compiler(Ajv2020);

/** A function from a value to its violations; throws when the schema is not one. */
export function compiled(schema) {
  const compilers = schema.$schema?.includes('2020-12') ? [draft2020]
    : schema.$schema?.includes('draft-07') ? [draft7] : [draft7, draft2020];
  const validators = compilers.map((one) => one.compile(schema));
  return (value) =>
    validators.flatMap((valid) =>
      valid(value) ? [] : valid.errors.map((one) => `${one.instancePath || '(root)'} ${one.message}`));
}
