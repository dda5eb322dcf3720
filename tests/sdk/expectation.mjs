// SPDX-License-Identifier: Apache-2.0
// The small language of calls.json: JSON Pointers into a result, what has to stand there, and
// ${variables} that one call saves for the next.
import { isDeepStrictEqual } from 'node:util';

/** The value at an RFC 6901 pointer; undefined when nothing stands there. */
export function at(value, pointer) {
  if (pointer !== '' && !pointer.startsWith('/')) throw new Error(`not a JSON Pointer: ${pointer}`);
  for (const token of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined;
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value) && !/^\d+$/u.test(key)) return undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const matchers = {
  $contains: (found, text) =>
    typeof found === 'string' ? found.includes(text)
    : Array.isArray(found) && found.some((item) => isDeepStrictEqual(item, text)),
  $type: (found, type) => found !== undefined && typeOf(found) === type,
  $length: (found, length) => found?.length === length,
  $absent: (found, absent) => (found === undefined) === absent,
  $matches: (found, regex) => typeof found === 'string' && new RegExp(regex, 'u').test(found),
};

/** True when `found` is what `wanted` describes: a literal, or an object of matchers alone. */
export function fits(found, wanted) {
  const names = typeOf(wanted) === 'object' ? Object.keys(wanted) : [];
  if (!names.some((name) => name.startsWith('$'))) return isDeepStrictEqual(found, wanted);
  return names.every((name) => {
    if (!matchers[name]) throw new Error(`no such matcher: ${name}; there are ${Object.keys(matchers).join(', ')}`);
    return matchers[name](found, wanted[name]);
  });
}

/** Puts saved values in place of "${name}"; a string that is only that becomes the value itself. */
export function filled(template, saved) {
  const value = (name) => {
    if (!Object.hasOwn(saved, name)) throw new Error(`nothing was saved as ${name}`);
    return saved[name];
  };
  if (typeof template === 'string') {
    const whole = /^\$\{(\w+)\}$/u.exec(template);
    if (whole) return value(whole[1]);
    return template.replace(/\$\{(\w+)\}/gu, (_, name) => String(value(name)));
  }
  if (Array.isArray(template)) return template.map((item) => filled(item, saved));
  if (typeOf(template) !== 'object') return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, saved)]));
}

const shown = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));

/** One complaint for each pointer where something else stands than expected. */
export function complaints(result, expect, saved) {
  return Object.entries(expect ?? {}).flatMap(([pointer, template]) => {
    const wanted = filled(template, saved);
    const found = at(result, pointer);
    return fits(found, wanted) ? [] : [`${pointer}: expected ${shown(wanted)}, found ${shown(found)}`];
  });
}
