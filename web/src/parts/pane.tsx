// SPDX-License-Identifier: Apache-2.0
// One document of the before-and-after view: lines with their marks, a map of all marks at the edge.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Document } from './compare';
import { is_quiet } from './compare';
import { plural, visible } from './format';
import { indent, keyText, type Line } from './json_lines';
import { markClass, type Words } from './marks';
import { useLineHeight } from './media';
import type { Mark } from './part_tree';
import { useVirtual, type Virtual } from './virtual';

interface PaneProps {
  document: Document;
  label: string;
  size: string;
  words: Words;
  foldCost?: number;  // tokens of what is folded
  selected: readonly (number | null)[];  // indexes of parts
  onMark: (mark: Mark | null) => void;
  onUnfold?: (() => void) | undefined;
  onScroll: (top: number) => void;
  handle: (virtual: Virtual) => void;
  everything: boolean;
}

function Text({ line }: { line: Line }) {
  const key = typeof line.key === 'string' ? <span class="key">{visible(keyText(line))}: </span> : null;
  return <>{key}<span class={`is-${line.type}`}>{visible(line.text)}{line.comma ? ',' : ''}</span></>;
}

function Row({ line, first, selected, words, onMark }: { line: Line; first: boolean; selected: boolean; words: Words; onMark: PaneProps['onMark'] }) {
  const mark = line.mark;
  const loud = mark && !is_quiet(mark.part);
  const name = mark ? markClass(mark.part.what) : '';
  const depth = indent(line.depth) + (line.kind === 'more' ? 2 : 0);
  return (
    <div class={`line ${line.kind === 'more' ? 'more' : ''} ${loud ? `mark m-${name}` : ''} ${mark?.rest ? 'is-rest' : ''} ${selected ? 'is-selected' : ''}`}
         data-part={mark && mark.index >= 0 ? mark.index : undefined}
         onMouseEnter={() => onMark(mark)}>
      <span class="code" style={{ paddingLeft: `${depth}ch` }}><Text line={line} /></span>
      {loud && first && mark.index >= 0
        ? <button type="button" class="chip" onFocus={() => onMark(mark)} onClick={() => onMark(mark)}>
            {line.label ?? `${words(mark.part.what)}${mark.part.items > 1 ? ` · ${plural(mark.part.items, 'item')}` : ''}`}
          </button>
        : null}
    </div>
  );
}

function firstLines(document: Document): Set<number> {
  const seen = new Set<number>();
  const first = new Set<number>();
  document.shown.forEach((line) => {
    const mark = line < 0 ? null : document.layout.lines[line]!.mark;
    if (!mark || seen.has(mark.index)) return;
    seen.add(mark.index);
    first.add(line);
  });
  return first;
}

// All marks of the document in the height of the pane, drawn once.
function Overview({ document, lineHeight, onJump }: { document: Document; lineHeight: number; onJump: (share: number) => void }) {
  const rows = document.shown.length;
  const bands = useMemo(() => {
    const found: { what: string; from: number; to: number }[] = [];
    const step = Math.max(1, Math.floor(rows / 2000));
    for (let row = 0; row < rows; row += step) {
      const line = document.shown[row]!;
      const mark = line < 0 ? null : document.layout.lines[line]!.mark;
      if (!mark || (is_quiet(mark.part) && !mark.rest)) continue;
      const what = mark.rest ? 'dropped' : markClass(mark.part.what);
      const last = found[found.length - 1];
      if (last && last.what === what && last.to >= row) last.to = row + step;
      else found.push({ what, from: row, to: row + step });
    }
    return found;
  }, [document]);
  const jump = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onJump((event.clientY - box.top) / box.height);
  };
  return (
    <svg class="overview" viewBox={`0 0 10 ${Math.max(rows, 1)}`} preserveAspectRatio="none" aria-hidden="true" onClick={jump}
         style={{ maxHeight: `${rows * lineHeight}px` }}>
      {bands.map((band) => <rect key={band.from} class={`f-${band.what}`} x="0" width="10" y={band.from} height={Math.max(band.to - band.from, rows / 150)} />)}
    </svg>
  );
}

export function Pane(props: PaneProps) {
  const { document, everything } = props;
  const rows = document.shown.length;
  const lineHeight = useLineHeight();
  const virtual = useVirtual(rows, lineHeight, props.onScroll);
  const first = useMemo(() => firstLines(document), [document]);
  const handle = useRef(props.handle);
  handle.current = props.handle;
  useEffect(() => { handle.current(virtual); });
  const window = everything ? { first: 0, last: Math.min(rows, 5000) } : virtual.window;
  const visibleRows = [];
  for (let row = window.first; row < window.last; row++) {
    const index = document.shown[row]!;
    if (index < 0) {
      const fold = document.folds[-1 - index]!;
      visibleRows.push(
        <div class="line fold" key={row}>
          <button type="button" onClick={props.onUnfold}>▸ envelope{fold.names ? `: ${visible(fold.names)}` : ''}{fold === document.folds[document.folds.length - 1] && props.foldCost ? ` · ${plural(props.foldCost, 'token')} of envelope in all` : ''}</button>
        </div>);
      continue;
    }
    const line = document.layout.lines[index]!;
    visibleRows.push(<Row key={row} line={line} first={first.has(index)} words={props.words} onMark={props.onMark}
      selected={line.mark !== null && line.mark.index >= 0 && props.selected.includes(line.mark.index)} />);
  }
  return (
    <section class="pane" aria-label={props.label}>
      <header><h2>{props.label}</h2><span class="number quiet">{props.size}</span></header>
      <div class="pane-body">
        <div class={everything ? 'lines is-all' : 'lines'} ref={virtual.ref} tabIndex={0} role="region" aria-label={`${props.label}, text`}>
          <div class="spacer" style={everything ? {} : { height: `${virtual.height}px` }}>
            <div class="slice" style={everything ? {} : { transform: `translateY(${window.first * lineHeight}px)` }}>{visibleRows}</div>
          </div>
        </div>
        <Overview document={document} lineHeight={lineHeight} onJump={(share) => virtual.scrollToRow(Math.floor(share * rows), 'middle')} />
      </div>
    </section>
  );
}
