// SPDX-License-Identifier: Apache-2.0
// Keys of the whole page. Screens add their own while they are shown.
import { useEffect, useRef } from 'preact/hooks';
import { href, navigate, SCREENS } from './route';
import { Signal } from './signal';

export const helpIsOpen = new Signal(false);

export const KEYS: readonly { keys: string; what: string }[] = [
  { keys: '?', what: 'This help' },
  { keys: '/', what: 'Filter or search' },
  { keys: 'g a · g t · g r · g u · g c', what: 'Go to Answers, Tools, Archive, Upstreams, Check' },
  { keys: 'j · k', what: 'Next, previous row' },
  { keys: 'Home · End', what: 'First, last row' },
  { keys: 'Enter', what: 'Open the row' },
  { keys: 'Esc', what: 'Back; leave a field; close this help' },
  { keys: 'Space', what: 'Answers: pause or resume' },
  { keys: 'n · p', what: 'One answer: next, previous mark' },
  { keys: '[ · ]', what: 'One answer: the older, the newer answer' },
  { keys: 'Ctrl Enter', what: 'Archive: run the query' },
];

export function is_typing(event: KeyboardEvent): boolean {
  const target = event.target;
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox');
}

const plain = (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey && !event.altKey;

// Handlers by key; those that return false did not use it.
export function useKeys(handlers: Record<string, (event: KeyboardEvent) => boolean | void>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (is_typing(event) || !plain(event) || event.defaultPrevented || helpIsOpen.get()) return;
      const handler = current.current[event.key];
      if (handler && handler(event) !== false) event.preventDefault();
    };
    addEventListener('keydown', down);
    return () => removeEventListener('keydown', down);
  }, []);
}

let after_g = 0;

export function globalKeys(event: KeyboardEvent): void {
  if (event.key === 'Escape' && is_typing(event)) {
    (event.target as HTMLElement).blur();
    event.preventDefault();
    return;
  }
  if (is_typing(event) || !plain(event) || event.defaultPrevented) return;
  if (event.key === '?') {
    helpIsOpen.set(!helpIsOpen.get());
    event.preventDefault();
    return;
  }
  if (helpIsOpen.get()) return;
  if (event.key === '/') {
    const field = document.querySelector<HTMLElement>('[data-filter]');
    if (!field) return;
    field.focus();
    event.preventDefault();
    return;
  }
  if (event.key === 'g') {
    after_g = event.timeStamp;
    return;
  }
  const screen = SCREENS.find((each) => each.key === event.key);
  if (screen && event.timeStamp - after_g < 1500) {
    after_g = 0;
    navigate(href(screen.name));
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
