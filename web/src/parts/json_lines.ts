// SPDX-License-Identifier: Apache-2.0
// Lays a JSON text out as lines, without changing it: numbers and escapes stay as they came, repeated
// keys stay, and any depth is read without recursion. Texts with line ends become a block of lines.
import { PartTree, type Mark } from './part_tree';

export interface Line {
  depth: number;
  parent: number;  // index of the line that opens the container, or -1
  key: string | number | null;  // raw JSON string of a member, index of an item
  kind: 'open' | 'close' | 'value' | 'more' | 'rest';
  text: string;
  type: 'string' | 'number' | 'literal' | 'plain' | 'bracket';
  comma: boolean;
  mark: Mark | null;
  label?: string;  // of its mark, if it says more than the mark does
  end: number;  // of an opening line: index of the closing one
}

export interface Layout {
  lines: Line[];
  columns: number;
  complete: boolean;
}

export const MAX_LINES = 200_000;
const MAX_STRING = 20_000;  // characters of one value that are laid out; the rest is counted
const INDENT_LIMIT = 24;

export const indent = (depth: number): number => 2 * Math.min(depth, INDENT_LIMIT);

const unescape = (raw: string): string => {
  try {
    return JSON.parse(raw) as string;
  } catch {
    return raw.slice(1, -1);
  }
};

export const keyText = (line: Line): string => (typeof line.key === 'string' ? unescape(line.key) : '');

const escaped = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

export function pointerOf(lines: readonly Line[], index: number): string {
  const segments: string[] = [];
  for (let at = index; at >= 0;) {
    const line: Line | undefined = lines[at];
    if (!line) break;
    if (line.key !== null) segments.push(typeof line.key === 'number' ? String(line.key) : escaped(unescape(line.key)));
    at = line.parent;
  }
  return segments.reverse().map((s) => '/' + s).join('');
}

// Breaks one text into pieces that fit, behind a space if there is one near; wide characters count twice.
export function* wrapped(text: string, columns: number, first: number): Generator<string> {
  let room = Math.max(first, 16);
  let begin = 0;
  let used = 0;
  let space = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const width = code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xffdc)) ? 2 : 1;
    if (used + width > room && !(code >= 0xdc00 && code <= 0xdfff)) {
      const end = space > begin && at - space < 28 ? space : at;
      yield text.slice(begin, end);
      begin = end;
      used = at - end;
      room = Math.max(columns, 16);
    }
    used += width;
    if (code === 32) space = at + 1;
  }
  yield text.slice(begin);
}

interface Frame {
  line: number;
  is_list: boolean;
  next: number;
  close: string;
}

class Reader {
  readonly lines: Line[] = [];
  private at = 0;
  private frames: Frame[] = [];
  private complete = true;

  constructor(private readonly text: string, private readonly columns: number, private readonly tree: PartTree) {}

  run(): Layout {
    this.value(null);
    while (this.frames.length && this.lines.length < MAX_LINES) this.step();
    if (this.frames.length) {
      this.complete = false;
      const rest = this.text.length - this.at;
      this.push({ kind: 'rest', text: `${rest.toLocaleString('en-US')} more characters are not laid out`, type: 'plain', key: null });
    }
    return { lines: this.lines, columns: this.columns, complete: this.complete };
  }

  private step(): void {
    const frame = this.frames[this.frames.length - 1]!;
    this.space();
    const letter = this.text[this.at];
    if (letter === undefined) {
      this.frames.length = 0;
      return;
    }
    if (letter === '}' || letter === ']') {
      this.at++;
      this.close(frame);
      return;
    }
    if (letter === ',') {
      this.at++;
      return;
    }
    if (frame.is_list) {
      this.value(frame.next++);
      return;
    }
    const key = this.string();
    this.space();
    if (this.text[this.at] === ':') this.at++;
    this.space();
    this.value(key);
  }

  private value(key: string | number | null): void {
    this.space();
    const letter = this.text[this.at];
    this.tree.enter(key === null ? null : typeof key === 'number' ? key : unescape(key));
    if (letter === '{' || letter === '[') {
      this.open(key, letter);
      return;
    }
    if (letter === '"') this.text_value(key, this.string());
    else this.scalar(key);
    this.tree.leave();
  }

  private open(key: string | number | null, letter: string): void {
    this.at++;
    this.space();
    const close = letter === '{' ? '}' : ']';
    const line = this.push({ kind: 'open', text: letter, type: 'bracket', key });
    if (this.text[this.at] === close) {
      this.at++;
      this.lines[line]!.text = letter + close;
      this.lines[line]!.kind = 'value';
      this.lines[line]!.comma = this.comma();
      this.tree.leave();
      return;
    }
    this.frames.push({ line, is_list: letter === '[', next: 0, close });
  }

  private close(frame: Frame): void {
    this.frames.pop();
    const opening = this.lines[frame.line]!;
    opening.end = this.lines.length;
    const line = this.push({ kind: 'close', text: frame.close, type: 'bracket', key: null });
    const closing = this.lines[line]!;
    closing.parent = frame.line;
    closing.depth = opening.depth;
    closing.mark = opening.mark;
    closing.comma = this.comma();
    this.tree.leave();
  }

  private scalar(key: string | number | null): void {
    const begin = this.at;
    while (this.at < this.text.length && !',]} \n\r\t'.includes(this.text[this.at]!)) this.at++;
    if (this.at === begin) this.at++;
    const text = this.text.slice(begin, this.at);
    const line = this.push({ kind: 'value', text, key, type: /^[-\d]/.test(text) ? 'number' : 'literal' });
    this.lines[line]!.comma = this.comma();
  }

  private text_value(key: string | number | null, raw: string): void {
    const long = raw.length > MAX_STRING;
    const shown = long ? raw.slice(0, MAX_STRING) : raw;
    const label = typeof key === 'string' ? key.length + 2 : 0;
    const depth = this.frames.length;
    const room = this.columns - indent(depth) - 2;
    const pieces = shown.includes('\\n') ? shown.replace(/((?:^|[^\\])(?:\\\\)*\\n)/g, '$1\u0000').split('\u0000') : [shown];
    let index = -1;
    let value = -1;
    for (const [at, piece] of pieces.entries()) {
      let first = true;
      for (const part of wrapped(piece, room, at === 0 ? room - label : room)) {
        if (part === '' && (at > 0 || !first)) continue;
        index = index < 0 ? (value = this.push({ kind: 'value', text: part, key, type: 'string' }))
                          : this.more(value, part, 'string');
        first = false;
      }
    }
    if (long) {
      const rest = raw.length - MAX_STRING;
      index = this.more(value, `… ${rest.toLocaleString('en-US')} more characters of this text are not laid out`, 'plain');
    }
    this.lines[index]!.comma = this.comma();
  }

  private more(value: number, text: string, type: Line['type']): number {
    const index = this.push({ kind: 'more', text, key: null, type });
    this.lines[index]!.parent = value;
    return index;
  }

  private string(): string {
    // A text may have many megabytes: only quotes are looked at, and the backslashes before them.
    const begin = this.at++;
    for (;;) {
      const quote = this.text.indexOf('"', this.at);
      if (quote < 0) {
        this.at = this.text.length;
        break;
      }
      let backslashes = 0;
      while (this.text[quote - 1 - backslashes] === '\\') backslashes++;
      this.at = quote + 1;
      if (backslashes % 2 === 0) break;
    }
    return this.text.slice(begin, this.at);
  }

  private comma(): boolean {
    this.space();
    return this.text[this.at] === ',';
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at++;
    }
  }

  private push(of: Pick<Line, 'kind' | 'text' | 'type' | 'key'>): number {
    const frame = this.frames[this.frames.length - 1];
    this.lines.push({ ...of, depth: this.frames.length, parent: frame ? frame.line : -1, comma: false,
                      mark: this.tree.mark(), end: -1 });
    return this.lines.length - 1;
  }
}

export const layoutJson = (text: string, columns: number, tree: PartTree): Layout => new Reader(text, columns, tree).run();

// Text that is not JSON: its own lines, wrapped.
export function layoutText(text: string, columns: number, tree: PartTree): Layout {
  const lines: Line[] = [];
  tree.enter(null);
  const mark = tree.mark();
  const push = (kind: Line['kind'], piece: string) =>
    lines.push({ depth: 0, parent: -1, key: null, kind, text: piece, type: 'plain', comma: false, mark, end: -1 });
  let begin = 0;
  while (begin <= text.length && lines.length < MAX_LINES) {
    let end = text.indexOf('\n', begin);
    if (end < 0) end = text.length;
    let kind: Line['kind'] = 'value';
    const shown = text.slice(begin, Math.min(end, begin + MAX_STRING));
    for (const piece of wrapped(shown, columns - 2, columns - 2)) {
      push(kind, piece);
      kind = 'more';
    }
    if (end - begin > MAX_STRING) push('more', `… ${(end - begin - MAX_STRING).toLocaleString('en-US')} more characters of this line are not laid out`);
    begin = end + 1;
  }
  tree.leave();
  const complete = begin > text.length;
  if (!complete) push('rest', `${(text.length - begin).toLocaleString('en-US')} more characters are not laid out`);
  return { lines, columns, complete };
}
