// SPDX-License-Identifier: Apache-2.0
// The event stream: rows for the list of answers, and the state of upstreams and sessions.
import { api } from '../api/client';
import type { Row } from '../api/types';
import { answers } from './answers';
import { session } from './session';
import { Signal } from './signal';

export interface Live {
  connected: boolean;
  open_calls: number;
}

export const live = new Signal<Live>({ connected: false, open_calls: 0 });

let source: EventSource | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;

export function connect(): void {
  if (source) return;
  source = new EventSource(api.eventsPath);
  source.addEventListener('open', () => {
    live.set({ ...live.get(), connected: true });
    // Rows that came before the stream was open, or while it was down.
    void answers.catchUp();
  });
  source.addEventListener('error', () => {
    live.set({ ...live.get(), connected: false });
    if (source?.readyState !== EventSource.CLOSED) return;
    source = null;
    // The browser gives up after a refusal: ask why, and try again later.
    retry = setTimeout(() => { void session.refresh(); connect(); }, 3000);
  });
  source.addEventListener('answers', (event) => {
    const { answers: rows, dropped } = JSON.parse((event as MessageEvent<string>).data) as { answers: Row[]; dropped: number };
    answers.arrive(rows, dropped);
  });
  source.addEventListener('state', (event) => {
    const { open_calls } = JSON.parse((event as MessageEvent<string>).data) as Omit<Live, 'connected'>;
    live.set({ connected: true, open_calls });
  });
}

export function disconnect(): void {
  clearTimeout(retry);
  source?.close();
  source = null;
  live.set({ connected: false, open_calls: 0 });
}
