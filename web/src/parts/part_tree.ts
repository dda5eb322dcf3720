// SPDX-License-Identifier: Apache-2.0
// Finds the part that covers a place while a document is walked: pointers and ranges such as
// /issues/1..116 as a tree, so that a step costs the same however many parts there are.
import type { Part } from '../api/types';

export interface Mark {
  part: Part;
  index: number;  // of the part in the view; -1: found in the text
  rest?: boolean;  // behind the place where a text was cut
}

interface Node {
  marks: Mark[];
  children: Map<string, Node>;
  ranges: { first: number; last: number; node: Node }[];
}

const node = (): Node => ({ marks: [], children: new Map(), ranges: [] });

const RANGE = /^(\d+)\.\.(\d+)$/;

export function segments(pointer: string): string[] {
  if (!pointer.startsWith('/')) return [];
  return pointer.slice(1).split('/').map((s) => s.replaceAll('~1', '/').replaceAll('~0', '~'));
}

// Of several parts of one place the one that says most about what happened to it.
const ORDER = ['redacted', 'dropped', 'clipped', 'brief', 'lines', 'row', 'facts', 'index', 'added', 'envelope', 'whole'];
const rank = (what: string) => (ORDER.indexOf(what) + ORDER.length + 1) % (ORDER.length + 1);

export class PartTree {
  private readonly root = node();
  private stack: { nodes: Node[]; mark: Mark | null }[] = [];

  // A mark covers what is below it, down to the next one.
  constructor(parts: readonly { part: Part; index: number }[]) {
    for (const mark of parts) this.add(mark);
  }

  private add(mark: Mark): void {
    let at = this.root;
    for (const segment of segments(mark.part.pointer)) {
      const range = RANGE.exec(segment);
      let next: Node | undefined;
      if (range) {
        const first = Number(range[1]);
        const last = Number(range[2]);
        next = at.ranges.find((r) => r.first === first && r.last === last)?.node;
        if (!next) {
          next = node();
          at.ranges.push({ first, last, node: next });
        }
      } else {
        next = at.children.get(segment);
        if (!next) {
          next = node();
          at.children.set(segment, next);
        }
      }
      at = next;
    }
    at.marks.push(mark);
    at.marks.sort((a, b) => rank(a.part.what) - rank(b.part.what));
  }

  enter(segment: string | number | null): void {
    const above = this.stack[this.stack.length - 1];
    const nodes: Node[] = [];
    if (segment === null || !above) {
      nodes.push(this.root);
    } else {
      const name = String(segment);
      for (const each of above.nodes) {
        const child = each.children.get(name);
        if (child) nodes.push(child);
        if (typeof segment === 'number') {
          for (const range of each.ranges) if (range.first <= segment && segment <= range.last) nodes.push(range.node);
        }
      }
    }
    const own = nodes.map((each) => each.marks[0]).find((mark) => mark !== undefined);
    this.stack.push({ nodes, mark: own ?? above?.mark ?? null });
  }

  leave(): void {
    this.stack.pop();
  }

  find(pointer: string): Mark | null {
    const names = segments(pointer);
    this.enter(null);
    for (const name of names) this.enter(/^\d+$/.test(name) ? Number(name) : name);
    const found = this.mark();
    for (let i = 0; i <= names.length; i++) this.leave();
    return found;
  }

  mark(): Mark | null {
    return this.stack[this.stack.length - 1]?.mark ?? null;
  }
}
