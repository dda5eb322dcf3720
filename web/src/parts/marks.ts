// SPDX-License-Identifier: Apache-2.0
// What the parts of an answer are called, and the names of their colours.
export const MARK_WORDS: Record<string, string> = {
  whole: 'whole', brief: 'in brief', clipped: 'cut short', row: 'id and label only', facts: 'facts', lines: 'telling lines',
  dropped: 'removed', redacted: 'redacted', added: 'added', envelope: 'envelope',
};
export const markClass = (what: string): string => (what in MARK_WORDS ? what : 'brief');
