// SPDX-License-Identifier: Apache-2.0
// The two documents of a view as lines, and which line of one belongs to which line of the other.
import type { Part, View } from '../api/types';
import { keyText, layoutJson, layoutText, type Layout, type Line } from './json_lines';
import { describeItems, overlapping } from './items';
import { wordsOf, type Words } from './marks';
import { PartTree, segments, type Mark } from './part_tree';

export interface Document {
  layout: Layout;
  shown: Int32Array;  // visible lines; -1 - n is fold n
  folds: { first: number; count: number; names: string }[];
  other: Int32Array;  // for each visible row the row of the other document
}

export interface Comparison {
  before: Document;
  after: Document;
  marks: MarkRow[];  // parts that have a visible mark, in the order of the document before
}

export interface MarkRow {
  mark: Mark;
  side: 'before' | 'after';
  row: number;
  shownAt: number | null;  // the row of the document after that shows it, if it is not where the data is
}

// What is as it was, and what every envelope has, is no mark. Neither are facts where the data is: they
// have a place of their own.
export const is_quiet = (part: Part): boolean => part.what === 'whole' || part.what === 'added' || (part.what === 'facts' && part.side === 'before');

const MARKER = /^"…\[\+(\d+) items?\]"$/;
const MEMBERS = /^"\+\d+ members?"$/;
const TAIL = /…\[(?:stopped at line [^\]]*|\+\d+ bytes)\]/;

// The place in the document before of each line of the payload in the document after; null outside.
function sources(lines: readonly Line[], payload: readonly string[]): (string | null)[] {
  const found: (string | null)[] = new Array<string | null>(lines.length).fill(null);
  const shift = new Map<number, number>();  // list → items that its markers replace so far
  const depthOfPayload = payload.length;
  const is_path: boolean[] = new Array<boolean>(lines.length).fill(false);
  lines.forEach((line, index) => {
    if (line.kind === 'close' || line.kind === 'more') {
      found[index] = found[line.parent] ?? null;
      return;
    }
    if (line.parent < 0) {
      is_path[index] = true;
      if (depthOfPayload === 0) found[index] = '';
      return;
    }
    const name = typeof line.key === 'number' ? String(line.key) : keyText(line);
    const above = found[line.parent];
    if (above === null || above === undefined) {
      if (is_path[line.parent] && line.depth <= depthOfPayload && payload[line.depth - 1] === name) {
        is_path[index] = true;
        if (line.depth === depthOfPayload) found[index] = '';
      }
      return;
    }
    if (typeof line.key !== 'number') {
      found[index] = name === '…' && MEMBERS.test(line.text) ? null : `${above}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return;
    }
    const before = shift.get(line.parent) ?? 0;
    found[index] = `${above}/${line.key + before}`;
    const marker = MARKER.exec(line.text);
    if (marker) shift.set(line.parent, before + Number(marker[1]) - 1);
  });
  return found;
}

function places(lines: readonly Line[]): Map<string, number> {
  const at = new Map<string, number>();
  const own: string[] = new Array<string>(lines.length);
  lines.forEach((line, index) => {
    if (line.kind === 'close' || line.kind === 'more' || line.kind === 'rest') return;
    const above = line.parent < 0 ? '' : own[line.parent]!;
    const name = line.key === null ? '' : '/' + (typeof line.key === 'number' ? line.key : keyText(line).replaceAll('~', '~0').replaceAll('/', '~1'));
    own[index] = above + name;
    if (!at.has(own[index]!)) at.set(own[index]!, index);
  });
  return at;
}

// Of the places that a marker replaces the first may still have a row in the index; the last is missing.
function removedAt(source: string, text: string, before: PartTree): Mark | null {
  const items = MARKER.exec(text);
  if (!items) return before.find(source);
  const slash = source.lastIndexOf('/');
  const last = before.find(`${source.slice(0, slash)}/${Number(source.slice(slash + 1)) + Number(items[1]) - 1}`);
  return last?.part.what === 'dropped' ? last : before.find(source);
}

// What happened to the items that one marker replaces: they need not all have the same part.
function labelOf(source: string, text: string, parts: readonly Part[], words: Words): string | null {
  const items = MARKER.exec(text);
  if (!items) return null;
  const slash = source.lastIndexOf('/');
  const first = Number(source.slice(slash + 1));
  const counts = overlapping(parts, source.slice(0, slash), first, first + Number(items[1]) - 1);
  return counts.size > 1 ? describeItems(counts, words) : null;
}

function markAfter(lines: Line[], found: (string | null)[], before: PartTree, { parts, handle }: View, words: Words): void {
  lines.forEach((line, index) => {
    const source = found[index];
    if (line.mark && line.mark.part.what !== 'envelope') return;
    if (source !== null && source !== undefined) line.mark = before.find(source);
    const dropped = line.type === 'string' && line.kind === 'value' && (MARKER.test(line.text) || MEMBERS.test(line.text));
    if (dropped) line.mark = (source ? removedAt(source, line.text, before) : null) ?? { index: -1, part: { side: 'after', pointer: source ?? '', what: 'dropped', why: handle ? 'what was here is in the archive' : 'left out', tokens: 0, items: 1 } };
    const label = dropped && source ? labelOf(source, line.text, parts, words) : null;
    if (label) line.label = label;
  });
}

// Of a text that was cut, what follows the place where it stopped is missing.
function cutOff(before: Line[], at: Map<string, number>, after: readonly Line[], found: (string | null)[]): void {
  after.forEach((line, index) => {
    if (line.mark?.part.what !== 'clipped' || !TAIL.test(line.text)) return;
    const start = at.get(found[index] ?? '');
    if (start === undefined) return;
    let first = index;
    while (after[first]!.kind === 'more') first = after[first]!.parent;
    let kept = 0;
    for (let i = first; i <= index; i++) kept += after[i]!.text.replace(TAIL, '').length;
    let seen = 0;
    for (let i = start; i < before.length && (i === start || before[i]!.kind === 'more' || before[i]!.type === 'plain'); i++) {
      seen += before[i]!.text.length + (before[i]!.type === 'plain' && before[i]!.kind === 'value' ? 2 : 0);
      const mark = before[i]!.mark;
      if (seen > kept + 3 && mark) before[i]!.mark = { ...mark, rest: true };
    }
  });
}

const MADE = new Set(['facts', 'index']);

function fold(lines: readonly Line[], found: (string | null)[], folded: boolean): Pick<Document, 'shown' | 'folds'> {
  const folds: Document['folds'] = [];
  const shown: number[] = [];
  // Facts and index are made by Enfold, but they tell of the data.
  const inside = (line: Line, index: number) => found[index] !== null || MADE.has(line.mark?.part.what ?? '') || (line.type === 'string' && MEMBERS.test(line.text) && found[line.parent] !== null);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (!folded || inside(line, index)) {
      shown.push(index);
      continue;
    }
    const last = folds[folds.length - 1];
    if (last && last.first + last.count === index) {
      last.count++;
    } else if (line.kind === 'close' && folds.length) {
      last!.count = index + 1 - last!.first;  // only the ends of what an earlier fold has begun
    } else {
      folds.push({ first: index, count: 1, names: '' });
      shown.push(-folds.length);
    }
    if (line.depth === 1 && typeof line.key === 'string') {
      const current = folds[folds.length - 1]!;
      current.names += (current.names ? ', ' : '') + keyText(line);
    }
  }
  return { shown: Int32Array.from(shown), folds };
}

function rowsOf(shown: Int32Array, lines: number): Int32Array {
  const rows = new Int32Array(lines).fill(-1);
  shown.forEach((line, row) => { if (line >= 0) rows[line] = row; });
  for (let line = 0, last = 0; line < lines; line++) {
    if (rows[line] === -1) rows[line] = last;
    else last = rows[line]!;
  }
  return rows;
}

export function compare(view: View, columns: { before: number; after: number }, folded: boolean): Comparison {
  const numbered = view.parts.map((part, index) => ({ part, index }));
  const treeBefore = new PartTree(numbered.filter((mark) => mark.part.side === 'before' && mark.part.what !== 'facts'));
  const treeAfter = new PartTree(numbered.filter((mark) => mark.part.side === 'after' && mark.part.what !== 'envelope'));
  const lay = (of: View['before'], width: number, tree: PartTree) =>
    of.is_json ? layoutJson(of.text, width, tree) : layoutText(of.text, width, tree);
  const before = lay(view.before, columns.before, treeBefore);
  const after = lay(view.after, columns.after, treeAfter);
  const wrapped = !view.before.is_json && view.after.is_json;
  const payload = view.after.is_json ? segments(view.after.payload ?? '') : [];
  const found = sources(after.lines, payload);
  // The text of an answer that is not JSON is the member `text` of its payload.
  if (wrapped) found.forEach((source, index) => { if (source === '/text') found[index] = ''; });
  const at = places(before.lines);
  markAfter(after.lines, found, treeBefore, view, wordsOf(view));
  cutOff(before.lines, at, after.lines, found);

  const whole = { shown: Int32Array.from(before.lines.keys()), folds: [] };
  const visible = fold(after.lines, found, folded && payload.length > 0);
  const rowOfAfter = rowsOf(visible.shown, after.lines.length);
  const toAfter = new Int32Array(before.lines.length).fill(-1);
  const toBefore = new Int32Array(visible.shown.length).fill(-1);
  found.forEach((source, index) => {
    const line = source === null ? undefined : at.get(source);
    if (line === undefined) return;
    const target = after.lines[index]!.kind === 'close' ? before.lines[line]!.end : line;
    if (target < 0) return;
    const row = rowOfAfter[index]!;
    if (toAfter[target] === -1) toAfter[target] = row;
    if (toBefore[row] === -1) toBefore[row] = target;
  });
  carry(toAfter, 0);
  carry(toBefore, 0);
  const documents = {
    before: { layout: before, ...whole, other: toAfter },
    after: { layout: after, ...visible, other: toBefore },
  };
  return { ...documents, marks: marked(documents.before, documents.after, shownAt(view.parts, places(after.lines), rowOfAfter)) };
}

// Rows of the index show items that are not in the data: of each such part the row that shows it.
function shownAt(parts: readonly Part[], lines: Map<string, number>, rows: Int32Array): (part: Part) => number | null {
  const index = parts.find((part) => part.what === 'index');
  return (part) => {
    if (!index || (part.what !== 'row' && part.what !== 'lines')) return null;
    // The index has the pointer of the list, or of the text.
    for (let pointer = part.pointer; pointer; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
      const line = lines.get(`${index.pointer}/${pointer.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      if (line !== undefined) return rows[line] ?? null;
    }
    return null;
  };
}

function carry(rows: Int32Array, first: number): void {
  let last = first;
  for (let row = 0; row < rows.length; row++) {
    if (rows[row] === -1) rows[row] = last;
    else last = rows[row]!;
  }
}

function marked(before: Document, after: Document, shown: (part: Part) => number | null): MarkRow[] {
  const marks: MarkRow[] = [];
  const seen = new Set<number>();
  for (const [side, document] of [['before', before], ['after', after]] as const) {
    document.shown.forEach((line, row) => {
      const mark = line < 0 ? null : document.layout.lines[line]!.mark;
      if (!mark || mark.index < 0 || is_quiet(mark.part) || seen.has(mark.index) || mark.part.side !== side) return;
      seen.add(mark.index);
      marks.push({ mark, side, row, shownAt: side === 'before' ? shown(mark.part) : null });
    });
  }
  return marks;
}
