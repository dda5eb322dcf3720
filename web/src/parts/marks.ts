// SPDX-License-Identifier: Apache-2.0
// What the parts of an answer are called, what the words mean, and the names of their colours.
import type { View } from '../api/types';

export const MARK_WORDS: Record<string, string> = {
  whole: 'complete', brief: 'in brief', clipped: 'cut short', row: 'as id and label', facts: 'facts', lines: 'telling lines',
  dropped: 'left out', redacted: 'redacted', added: 'added', envelope: 'envelope', index: 'index',
};
export const markClass = (what: string): string => (what in MARK_WORDS ? what : 'brief');

export const MARK_MEANINGS: Record<string, string> = {
  whole: 'data as the server sent it', brief: 'items without some members', clipped: 'texts that stop early',
  row: 'one row each, in the index', lines: 'lines picked from long texts', facts: 'counts and ranges of the whole answer',
  envelope: 'status, handle, how to get more', redacted: 'credentials that were replaced', dropped: 'not in the answer of the model',
};

// What is left out is not lost if the original was archived: then the word says where it is.
export type Words = (what: string) => string;
export const wordsOf = (view: View): Words => (what) =>
  (what === 'dropped' && view.handle ? 'in the archive only' : MARK_WORDS[what] ?? what);

// Reasons that say too little alone.
export const WHY: Record<string, string> = { 'no room': 'left out at the limit' };
