// SPDX-License-Identifier: Apache-2.0
// What the server sent beside what the model got: scrolled together, marked by place.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Part, Size, View } from '../api/types';
import { useKeys } from '../state/keys';
import { compare } from './compare';
import { count, line as oneLine, percent, plural } from './format';
import { LINE_HEIGHT, MARK_WORDS, markClass, Pane } from './pane';
import type { Mark } from './part_tree';
import type { Virtual } from './virtual';

const described = (size: Size) =>
  `${count(size.tokens)} tokens · ${count(size.characters)} characters · ${plural(size.lines, 'line')}`;

interface Share {
  what: string;
  tokens: number;
  places: number;
}

// What the tokens of the answer are spent on.
export function shares(view: View): Share[] {
  const by = new Map<string, Share>();
  let counted = 0;
  // A secret is marked on both sides, unless its place was removed.
  const redactedSide = view.parts.some((part) => part.what === 'redacted' && part.side === 'before') ? 'before' : 'after';
  const add = (what: string, tokens: number) => {
    const share = by.get(what) ?? { what, tokens: 0, places: 0 };
    share.tokens += tokens;
    share.places++;
    by.set(what, share);
  };
  for (const part of view.parts) {
    if (part.side === 'before' && part.what !== 'redacted') {
      counted += part.tokens;
      add(part.what, part.tokens);
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

function Composition({ view, onJump }: { view: View; onJump: (what: string) => void }) {
  const all = shares(view);
  const total = Math.max(1, all.reduce((sum, share) => sum + share.tokens, 0));
  let x = 0;
  return (
    <div class="composition">
      <svg viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="What the tokens of the answer are spent on">
        {all.filter((share) => share.tokens > 0).map((share) => {
          const width = (1000 * share.tokens) / total;
          const at = x;
          x += width;
          return <rect key={share.what} class={`f-${markClass(share.what)}`} x={at} width={Math.max(width - 2, 1)} height="8" rx="1" />;
        })}
      </svg>
      <ul class="legend">
        {all.map((share) => (
          <li key={share.what}>
            <button type="button" onClick={() => onJump(share.what)} title={`Go to the first place: ${MARK_WORDS[share.what] ?? share.what}`}>
              <svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><rect class={`f-${markClass(share.what)}`} width="8" height="8" rx="2" /></svg>
              {MARK_WORDS[share.what] ?? share.what}
              <span class="number">{share.what === 'dropped' ? plural(view.dropped_count || share.places, 'item') :
                share.what === 'redacted' ? plural(share.places, 'place') : plural(share.tokens, 'token')}</span>
            </button>
          </li>))}
      </ul>
    </div>
  );
}

function Detail({ part }: { part: Part | null }) {
  if (!part) return <p class="detail quiet" aria-live="polite"><span>Point at a marked place, or go through them with <kbd>n</kbd> and <kbd>p</kbd>, to see its rule and what it costs.</span></p>;
  return (
    <p class="detail" aria-live="polite">
      <code>{oneLine(part.pointer || '(the whole)', 90)}</code>
      <b class={`t-${markClass(part.what)}`}>{MARK_WORDS[part.what] ?? part.what}</b>
      <span>{oneLine(part.why)}</span>
      <span class="number">{part.items > 1 ? `${count(part.items)} items · ` : ''}{plural(part.tokens, 'token')}</span>
    </p>
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

export function BeforeAfter({ view, everything = false }: { view: View; everything?: boolean }) {
  const { box, columns } = useColumns(everything);
  const [folded, setFolded] = useState(!everything);
  const [mark, setMark] = useState<Mark | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const panes = useRef<Record<'before' | 'after', Virtual | null>>({ before: null, after: null });
  const expected = useRef<Record<'before' | 'after', number>>({ before: -1, after: -1 });
  const width = columns || 80;
  const both = useMemo(() => compare(view, { before: width, after: width }, folded), [view, width, folded]);

  const follow = useCallback((from: 'before' | 'after', top: number) => {
    if (expected.current[from] >= 0 && Math.abs(expected.current[from] - top) < 2) {
      expected.current[from] = -1;
      return;
    }
    const to = from === 'before' ? 'after' : 'before';
    const target = panes.current[to]?.element();
    const rows = both[from].other;
    // The line at a third of the pane leads; it slides from the first to the last line.
    const source = panes.current[from]?.element();
    if (!source || !target || !rows.length) return;
    const range = Math.max(1, source.scrollHeight - source.clientHeight);
    const lead = (top / range) * source.clientHeight;
    const row = Math.min(rows.length - 1, Math.floor((top + lead) / LINE_HEIGHT));
    const wanted = Math.round(Math.max(0, Math.min(rows[row]! * LINE_HEIGHT - lead + ((top + lead) % LINE_HEIGHT), target.scrollHeight - target.clientHeight)));
    if (Math.abs(target.scrollTop - wanted) < 2) return;
    expected.current[to] = wanted;
    target.scrollTop = wanted;
  }, [both]);

  // Marks are places in the parts of one view.
  useEffect(() => {
    setMark(null);
    setSelected(null);
  }, [view]);

  const go = useCallback((place: (typeof both.marks)[number] | undefined) => {
    if (!place) return;
    setSelected(place.mark.index);
    setMark(place.mark);
    panes.current[place.side]?.scrollToRow(place.row, 'middle');
  }, [both]);

  const step = (by: 1 | -1) => {
    const at = both.marks.findIndex((each) => each.mark.index === selected);
    const next = at < 0 && by < 0 ? both.marks.length - 1 : at + by;
    go(both.marks[(next + both.marks.length) % Math.max(1, both.marks.length)]);
  };
  useKeys({ n: () => step(1), p: () => step(-1) });

  const hover = useCallback((found: Mark | null) => { if (found) setMark(found); }, []);
  const jump = (what: string) => {
    if (what === 'envelope') setFolded(false);
    const part = view.parts.find((each) => each.what === what);
    go(both.marks.find((each) => each.mark.part.what === what));
    if (part) setMark({ part, index: view.parts.indexOf(part) });
  };
  return (
    <div class="before-after" ref={box}>
      <span class="probe" aria-hidden="true">00000000000000000000</span>
      <Composition view={view} onJump={jump} />
      <Detail part={mark?.part ?? null} />
      <div class="panes">
        <Pane document={both.before} label="What the server sent" size={described(view.before.size)} selected={selected} onMark={hover} everything={everything}
          onScroll={(top) => follow('before', top)} handle={(virtual) => { panes.current.before = virtual; }} />
        <Pane document={both.after} label={view.given ? 'What the model got' : 'What the model would get'} selected={selected} onMark={hover} everything={everything}
          size={`${described(view.after.size)} · ${percent(view.after.size.tokens, view.before.size.tokens)}`}
          onUnfold={() => setFolded(false)}
          onScroll={(top) => follow('after', top)} handle={(virtual) => { panes.current.after = virtual; }} />
      </div>
    </div>
  );
}
