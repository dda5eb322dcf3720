// SPDX-License-Identifier: Apache-2.0
// The state of the page is its address: a screen, a subject and a query. Back and forward work by themselves.
import { useEffect, useState } from 'preact/hooks';

export type Screen = 'answers' | 'tools' | 'archive' | 'upstreams' | 'check';
export const SCREENS: readonly { name: Screen; label: string; key: string }[] = [
  { name: 'answers', label: 'Answers', key: 'a' },
  { name: 'tools', label: 'Tools', key: 't' },
  { name: 'archive', label: 'Archive', key: 'r' },
  { name: 'upstreams', label: 'Upstreams', key: 'u' },
  { name: 'check', label: 'Check', key: 'c' },
];

export interface Route {
  screen: Screen;
  subject: string | null;
  query: URLSearchParams;
}

const ROOT = '/ui/';
const listeners = new Set<() => void>();

export function parse(path: string, search: string): Route {
  const [name, subject] = path.startsWith(ROOT) ? path.slice(ROOT.length).split('/') : [];
  const screen = SCREENS.find((each) => each.name === name)?.name ?? 'answers';
  return { screen, subject: subject ? decode(subject) : null, query: new URLSearchParams(search) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function href(screen: Screen, subject: string | number | null = null, query: Record<string, string | undefined> = {}): string {
  const used = Object.entries(query).filter((pair): pair is [string, string] => !!pair[1]);
  const search = used.length ? '?' + new URLSearchParams(used).toString() : '';
  return ROOT + screen + (subject === null ? '' : '/' + encodeURIComponent(String(subject))) + search;
}

export function navigate(to: string, replace = false): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  listeners.forEach((listener) => listener());
}

// Changes single values of the query. Typing replaces the entry of the history.
export function setQuery(changes: Record<string, string | undefined>, replace = true): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const search = query.toString();
  navigate(location.pathname + (search ? '?' + search : ''), replace);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parse(location.pathname, location.search));
  useEffect(() => {
    const update = () => setRoute(parse(location.pathname, location.search));
    listeners.add(update);
    addEventListener('popstate', update);
    return () => {
      listeners.delete(update);
      removeEventListener('popstate', update);
    };
  }, []);
  return route;
}

// Links of the page change the address without loading; with a modifier the browser does what it does.
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(ROOT) || link.hasAttribute('download')) return;
  // A link into the page, such as that to the content: the browser moves the focus.
  if (link.hash && link.pathname + link.search === location.pathname + location.search) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
