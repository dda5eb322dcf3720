// SPDX-License-Identifier: Apache-2.0
// Loading with three states. While the same thing is loaded again its last value stays, so nothing flickers.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client';
import { session } from './session';

export interface Loaded<V> {
  value: V | null;
  error: ApiError | null;
  busy: boolean;
  again: () => void;
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'page', error instanceof Error ? error.message : String(error));
}

interface State<V> {
  keys: readonly unknown[];  // that `value` and `error` belong to
  value: V | null;
  error: ApiError | null;
  busy: boolean;
}

const same = (a: readonly unknown[], b: readonly unknown[]) => a.length === b.length && a.every((each, at) => each === b[at]);

// With `everyMs` it loads again so long after each reply, so that slow replies do not pile up.
export function useLoad<V>(load: (signal: AbortSignal) => Promise<V>, keys: readonly unknown[], everyMs = 0): Loaded<V> {
  const [state, setState] = useState<State<V>>({ keys, value: null, error: null, busy: true });
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((old) => old + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => { timer = setTimeout(() => { if (document.hidden) wait(); else again(); }, everyMs); };
    setState((old) => (same(old.keys, keys) ? { ...old, busy: true } : { keys, value: null, error: null, busy: true }));
    load(abort.signal).then(
      (value) => setState({ keys, value, error: null, busy: false }),
      (cause: unknown) => {
        if (abort.signal.aborted) return;
        const error = asApiError(cause);
        if (error.status === 401) session.lost();
        setState((old) => ({ keys, value: old.value, error, busy: false }));
      }).finally(() => { if (everyMs && !abort.signal.aborted) wait(); });
    return () => { abort.abort(); clearTimeout(timer); };
  }, [...keys, turn, everyMs]);
  // What belongs to other keys is never shown, not even until the effect has run.
  const shown = same(state.keys, keys) ? state : { value: null, error: null, busy: true };
  return { value: shown.value, error: shown.error, busy: shown.busy, again };
}
