// SPDX-License-Identifier: Apache-2.0
// Which rows of a long list are on the screen. Rows have one height, so any number of them costs the same.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Window {
  first: number;
  last: number;  // behind the last
}

export interface Virtual {
  ref: (element: HTMLElement | null) => void;
  element: () => HTMLElement | null;
  window: Window;
  height: number;
  scrollToRow: (row: number, align?: 'nearest' | 'middle' | 'upper') => void;
}

const OVERSCAN = 6;

export function useVirtual(rows: number, rowHeight: number, on_scroll?: (top: number) => void): Virtual {
  const box = useRef<HTMLElement | null>(null);
  const handler = useRef(on_scroll);
  handler.current = on_scroll;
  const [size, setSize] = useState(600);
  const [first, setFirst] = useState(0);
  const frame = useRef(0);

  const measure = useCallback(() => {
    frame.current = 0;
    const element = box.current;
    if (!element) return;
    // Steps of four rows: most frames of a slow scroll need no new rows.
    setFirst(Math.floor(element.scrollTop / rowHeight / 4) * 4);
  }, [rowHeight]);

  const ref = useCallback((element: HTMLElement | null) => {
    box.current = element;
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const scroll = () => {
      frame.current ||= requestAnimationFrame(() => {
        measure();
        handler.current?.(element.scrollTop);
      });
    };
    const observer = new ResizeObserver(() => { setSize(element.clientHeight); });
    element.addEventListener('scroll', scroll, { passive: true });
    observer.observe(element);
    measure();
    return () => {
      element.removeEventListener('scroll', scroll);
      observer.disconnect();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [measure]);

  useEffect(() => { measure(); }, [rows, measure]);

  const scrollToRow = useCallback((row: number, align: 'nearest' | 'middle' | 'upper' = 'nearest') => {
    const element = box.current;
    if (!element) return;
    const top = row * rowHeight;
    if (align === 'middle') element.scrollTop = top - element.clientHeight / 2;
    else if (align === 'upper') element.scrollTop = top - Math.floor(element.clientHeight / 4 / rowHeight) * rowHeight;  // whole lines
    else if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeight - element.clientHeight;
  }, [rowHeight]);

  const begin = Math.max(0, Math.min(first, rows) - OVERSCAN);
  const end = Math.min(rows, first + Math.ceil(size / rowHeight) + 4 + OVERSCAN);
  return { ref, element: () => box.current, window: { first: begin, last: end }, height: rows * rowHeight, scrollToRow };
}
