// SPDX-License-Identifier: Apache-2.0
// What the server sent beside what the model got: scrolled together, marked by place.
import { Fragment } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Part, Size, View } from '../api/types';
import { useKeys } from '../state/keys';
import { compare } from './compare';
import { href } from '../state/route';
import { count, line as oneLine, plural } from './format';
import { describeList, listSums } from './items';
import { MARK_MEANINGS, markClass, WHY, wordsOf, type Words } from './marks';
import { useLineHeight, useNarrow } from './media';
import { Pane } from './pane';
import type { Mark } from './part_tree';
import type { Virtual } from './virtual';

// JSON of one line is shown indented: its lines are those of the page.
const described = (size: Size) =>
  `${count(size.tokens)} tokens · ${count(size.characters)} characters of text${size.lines > 1 ? ` · ${plural(size.lines, 'line')}` : ''}`;

interface Share {
  what: string;
  tokens: number;
  places: number;
  items: number;
}

// What the tokens of the answer are spent on.
export function shares(view: View): Share[] {
  const by = new Map<string, Share>();
  let counted = 0;
  // A secret is marked on both sides, unless its place was removed.
  const redactedSide = view.parts.some((part) => part.what === 'redacted' && part.side === 'before') ? 'before' : 'after';
  const add = (what: string, tokens: number, items = 1) => {
    const share = by.get(what) ?? { what, tokens: 0, places: 0, items: 0 };
    share.tokens += tokens;
    share.places++;
    share.items += items;
    by.set(what, share);
  };
  for (const part of view.parts) {
    if (part.side === 'before' && part.what !== 'redacted') {
      counted += part.tokens;
      add(part.what, part.tokens, part.items);
    } else if (part.what === 'redacted' && part.side === redactedSide) {
      add(part.what, 0);
    }
  }
  const rest = view.after.size.tokens - counted;
  if (view.fits && counted === 0) {
    const envelope = Math.max(0, view.after.size.tokens - view.before.size.tokens);
    add('whole', view.after.size.tokens - envelope);
    if (envelope) add('envelope', envelope);
  } else if (rest > 0) {
    add('envelope', rest);
  }
  const order = ['whole', 'brief', 'clipped', 'lines', 'row', 'facts', 'envelope', 'redacted', 'dropped'];
  return [...by.values()].sort((a, b) => order.indexOf(a.what) - order.indexOf(b.what));
}

function amount(share: Share): string {
  if (share.what === 'dropped') return plural(share.items, 'item');
  if (share.what === 'redacted') return plural(share.places, 'place');
  return `${share.what === 'row' ? `${plural(share.items, 'item')} · ` : ''}${plural(share.tokens, 'token')}`;
}

const tokensIn = (all: readonly Share[], whats: readonly string[]) => all.reduce((sum, share) => sum + (whats.includes(share.what) ? share.tokens : 0), 0);

function Dot({ what }: { what: string }) {
  return <svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><rect class={`f-${markClass(what)}`} x="0.5" y="0.5" width="7" height="7" rx="2" /></svg>;
}

interface CompositionProps {
  view: View;
  all: readonly Share[];
  words: Words;
  onJump: (what: string, list?: string) => void;
}

function Composition({ view, all, words, onJump }: CompositionProps) {
  const total = Math.max(1, all.reduce((sum, share) => sum + share.tokens, 0));
  const sums = useMemo(() => listSums(view).slice(0, 3), [view]);  // may read the whole original
  // What costs nothing is no part of the bar; lists say below how many of their items are left out.
  const narrow = useNarrow();
  const parts = all.filter((share) => share.tokens > 0 || share.what === 'redacted' || !sums.length);
  let x = 0;
  const title = <>What the <span class="number">{count(view.after.size.tokens)}</span> tokens of this answer are made of</>;
  const content = (
    <>
      <svg viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="What the tokens of the answer are spent on">
        {all.filter((share) => share.tokens > 0).map((share) => {
          const width = (1000 * share.tokens) / total;
          const at = x;
          x += width;
          return <rect key={share.what} class={`f-${markClass(share.what)}`} x={at} y="0.5" width={Math.max(width - 2, 1)} height="7" rx="1" />;
        })}
      </svg>
      <ul class="legend">
        {parts.map((share) => (
          <li key={share.what}>
            <button type="button" onClick={() => onJump(share.what)} title={`${MARK_MEANINGS[share.what] ?? ''}. Go to the first place`}>
              <span><Dot what={share.what} />{words(share.what)} <span class="number">{narrow && share.tokens ? count(share.tokens) : amount(share)}</span></span>
              <small class="quiet">{MARK_MEANINGS[share.what] ?? ''}</small>
            </button>
          </li>))}
      </ul>
      {sums.map((sum) => (
        <p key={sum.list} class="sums number"><span class="quiet">{oneLine(describeList(sum), 100)}:</span>{[...sum.counts].map(([what, number], at) => (
          <Fragment key={what}>{at ? ', ' : ' '}<button type="button" class="text-button" onClick={() => onJump(what, sum.list)} title="Go to the first of them"><Dot what={what} />{count(number)} {words(what)}</button></Fragment>))}</p>))}
    </>
  );
  // A phone has its room for the answer itself.
  return narrow ? <details class="composition"><summary class="quiet">What the tokens are made of</summary>{content}</details>
    : <div class="composition"><p class="quiet">{title}</p>{content}</div>;
}

interface DetailProps {
  part: Part | null;
  at: number;
  marks: number;
  words: Words;
  archive: string | null;  // the handle of the original, if the page can ask for it
  onStep: (by: 1 | -1) => void;
}

// The list or value that a part belongs to, in the archived original.
const listOf = (pointer: string) => pointer.replace(/\/\d+(?:\.\.\d+)?$/, '');

function Detail({ part, at, marks, words, archive, onStep }: DetailProps) {
  const word = part ? words(part.what) : '';
  return (
    <div class="detail">
      {marks ? <span class="steps" role="group" aria-label="Marks">
        <button type="button" class="icon-button" aria-label="Previous mark" title="Previous mark (p)" onClick={() => onStep(-1)}><span aria-hidden="true">↑</span></button>
        <span class="number quiet">{at < 0 ? plural(marks, 'mark') : `${count(at + 1)} of ${plural(marks, 'mark')}`}</span>
        <button type="button" class="icon-button" aria-label="Next mark" title="Next mark (n)" onClick={() => onStep(1)}><span aria-hidden="true">↓</span></button>
      </span> : null}
      <p aria-live="polite">{part ? <>
        <code>{oneLine(part.pointer || '(the whole)', 90)}</code>
        <b class={`t-${markClass(part.what)}`}>{word}</b>
        {word.includes(part.why) ? null : <span class="why">{oneLine(WHY[part.why] ?? part.why)}</span>}
        <span class="number">{[part.items > 1 ? `${count(part.items)} items` : '', part.tokens ? plural(part.tokens, 'token') : ''].filter(Boolean).join(' · ') || '0 tokens'}</span>
        {part.what === 'dropped' && archive && part.side === 'before' ? <a class="at-archive" href={href('archive', archive, { pointer: listOf(part.pointer) || undefined })}>open in the console</a> : null}
      </> : <span class="quiet">{marks ? 'Point at a mark to see its rule and what it costs.' : 'Nothing was left out, shortened or redacted.'}</span>}</p>
    </div>
  );
}

// Characters of the fixed-width font that fit in one line of a pane.
function useColumns(everything: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(everything ? 92 : 0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || everything) return undefined;
    const probe = element.querySelector('.probe')!;
    const measure = () => {
      const letter = probe.getBoundingClientRect().width / 20 || 7.3;
      const stacked = getComputedStyle(element).getPropertyValue('--stacked').trim() === '1';
      const width = stacked ? element.clientWidth : element.clientWidth / 2;
      setColumns(Math.max(24, Math.floor((width - 56) / letter)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [everything]);
  return { box, columns };
}

interface BeforeAfterProps {
  view: View;
  everything?: boolean;
  archive?: string | null;
}

export function BeforeAfter({ view, everything = false, archive = null }: BeforeAfterProps) {
  const { box, columns } = useColumns(everything);
  const lineHeight = useLineHeight();
  const [folded, setFolded] = useState(!everything);
  const [mark, setMark] = useState<Mark | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const panes = useRef<Record<'before' | 'after', Virtual | null>>({ before: null, after: null });
  const expected = useRef<Record<'before' | 'after', number>>({ before: -1, after: -1 });
  const touched = useRef(false);  // the reader has scrolled or gone to another mark
  const width = columns || 80;
  const narrow = useNarrow();
  const [side, setSide] = useState<'before' | 'after'>('after');  // on a phone there is room for one
  const words = useMemo(() => wordsOf(view), [view]);
  const all = useMemo(() => shares(view), [view]);
  const both = useMemo(() => compare(view, { before: width, after: width }, folded), [view, width, folded]);

  const follow = useCallback((from: 'before' | 'after', top: number) => {
    if (expected.current[from] >= 0 && Math.abs(expected.current[from] - top) < 2) {
      expected.current[from] = -1;
      return;
    }
    touched.current = true;
    const to = from === 'before' ? 'after' : 'before';
    const target = panes.current[to]?.element();
    const rows = both[from].other;
    // The line at a third of the pane leads; it slides from the first to the last line.
    const source = panes.current[from]?.element();
    if (!source || !target || !rows.length) return;
    const range = Math.max(1, source.scrollHeight - source.clientHeight);
    const lead = (top / range) * source.clientHeight;
    const row = Math.min(rows.length - 1, Math.floor((top + lead) / lineHeight));
    const wanted = Math.round(Math.max(0, Math.min(rows[row]! * lineHeight - lead + ((top + lead) % lineHeight), target.scrollHeight - target.clientHeight)));
    if (Math.abs(target.scrollTop - wanted) < 2) return;
    expected.current[to] = wanted;
    target.scrollTop = wanted;
  }, [both, lineHeight]);

  // Both sides show the place of a mark at the same height.
  const go = useCallback((place: (typeof both.marks)[number] | undefined) => {
    if (!place) return;
    setSelected(place.mark.index);
    setMark(place.mark);
    const other = place.side === 'before' ? 'after' : 'before';
    panes.current[place.side]?.scrollToRow(place.row, 'upper');
    panes.current[other]?.scrollToRow(place.shownAt ?? both[place.side].other[place.row] ?? 0, 'upper');
    for (const side of ['before', 'after'] as const) expected.current[side] = panes.current[side]?.element()?.scrollTop ?? -1;
  }, [both]);

  // The answer opens at the first difference, not at a top that both sides share. So does each other fit
  // of it, until the reader goes elsewhere. Marks are places in the parts of one view.
  const opened = useRef<View | null>(null);
  useEffect(() => {
    if (everything || !columns || opened.current === view) return;
    opened.current = view;
    setMark(null);
    setSelected(null);
    if (!touched.current) go(both.marks[0]);
  }, [view, both, columns]);

  const step = (by: 1 | -1) => {
    touched.current = true;
    const at = both.marks.findIndex((each) => each.mark.index === selected);
    const next = at < 0 && by < 0 ? both.marks.length - 1 : at + by;
    go(both.marks[(next + both.marks.length) % Math.max(1, both.marks.length)]);
  };
  useKeys({ n: () => step(1), p: () => step(-1) });

  const hover = useCallback((found: Mark | null) => { if (found) setMark(found); }, []);
  const jump = (what: string, list?: string) => {
    touched.current = true;
    if (what === 'envelope') setFolded(false);
    const is_in = (part: Part) => part.what === what && (list === undefined || listOf(part.pointer) === list);
    const part = view.parts.find(is_in);
    go(both.marks.find((each) => is_in(each.mark.part)));
    if (part) setMark({ part, index: view.parts.indexOf(part) });
  };
  // The items of a row are marked where the data is, and where the index has them.
  const chosen = selected === null ? null : view.parts[selected];
  const index = chosen?.what === 'row' || chosen?.what === 'lines' ? view.parts.findIndex((each) => each.what === 'index') : -1;
  const titles = { before: 'What the server sent', after: view.given ? 'What the model got' : 'What the model would get' };
  return (
    <div class="before-after" ref={box}>
      <span class="probe" aria-hidden="true">00000000000000000000</span>
      <Composition view={view} all={all} words={words} onJump={jump} />
      <Detail part={mark?.part ?? null} at={both.marks.findIndex((each) => each.mark.index === selected)} marks={both.marks.length} words={words} archive={archive} onStep={step} />
      {narrow && !everything ? <div class="segments sides" role="group" aria-label="Which text is shown">
        {(['before', 'after'] as const).map((each) => <button key={each} type="button" aria-pressed={side === each} onClick={() => setSide(each)}>{each === 'before' ? 'Sent' : 'Got'} <span class="quiet number">{count(view[each].size.tokens)}</span></button>)}
      </div> : null}
      <div class={`panes shows-${side}`}>
        <Pane document={both.before} label={titles.before} size={described(view.before.size)} words={words} selected={[selected]} onMark={hover} everything={everything}
          onScroll={(top) => follow('before', top)} handle={(virtual) => { panes.current.before = virtual; }} />
        <Pane document={both.after} label={titles.after} words={words} selected={[selected, index]} onMark={hover} everything={everything}
          size={described(view.after.size)} foldCost={tokensIn(all, ['envelope'])}
          onUnfold={() => setFolded(false)}
          onScroll={(top) => follow('after', top)} handle={(virtual) => { panes.current.after = virtual; }} />
      </div>
    </div>
  );
}
