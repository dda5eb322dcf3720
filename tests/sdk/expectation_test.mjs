// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { at, complaints, filled, fits } from './expectation.mjs';

test('a pointer finds members, items and escaped names, and nothing else', () => {
  const value = { a: [{ 'b/c~d': 0 }], e: null };
  assert.equal(at(value, '/a/0/b~1c~0d'), 0);
  assert.equal(at(value, '/e'), null);
  assert.equal(at(value, '/e/f'), undefined);
  assert.equal(at(value, '/a/length'), undefined);
  assert.equal(at(value, '/toString'), undefined);
  assert.throws(() => at(value, 'a'));
});

for (const [name, found, wanted, want] of [
  ['an equal literal', { a: [1] }, { a: [1] }, true],
  ['a member too many', { a: 1, b: 2 }, { a: 1 }, false],
  ['contained text', 'one two', { $contains: 'two' }, true],
  ['text that is not contained', 'one', { $contains: 'two' }, false],
  ['a contained item', ['a', 'b'], { $contains: 'b' }, true],
  ['a type', [], { $type: 'array' }, true],
  ['null is no object', null, { $type: 'object' }, false],
  ['nothing has no type', undefined, { $type: 'undefined' }, false],
  ['a length', 'abc', { $length: 3 }, true],
  ['another length', [1], { $length: 3 }, false],
  ['absence', undefined, { $absent: true }, true],
  ['null is not absent', null, { $absent: true }, false],
  ['a match', 'req_0a', { $matches: '^req_[0-9a-f]+$' }, true],
  ['a number does not match', 7, { $matches: '7' }, false],
  ['all of several', 'abc', { $contains: 'a', $length: 4 }, false],
]) {
  test(`${name}: ${want}`, () => assert.equal(fits(found, wanted), want));
}

test('an unknown matcher and an unknown variable are mistakes of the script', () => {
  assert.throws(() => fits(1, { $greater: 0 }), /no such matcher/u);
  assert.throws(() => filled('${x}', {}), /nothing was saved as x/u);
});

test('a variable keeps its type where it stands alone', () => {
  assert.deepEqual(filled({ a: '${n}', b: ['n=${n}'] }, { n: 5 }), { a: 5, b: ['n=5'] });
});

test('a complaint names the place, what was expected and what was found', () => {
  assert.deepEqual(complaints({ a: 1 }, { '/a': '${n}', '/b': { $type: 'string' } }, { n: 2 }), [
    '/a: expected 2, found 1',
    '/b: expected {"$type":"string"}, found nothing',
  ]);
});
