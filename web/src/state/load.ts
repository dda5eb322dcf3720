// SPDX-License-Identifier: Apache-2.0
// Loading with three states. While something is loaded again the last value stays, so nothing flickers.
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

export function useLoad<V>(load: (signal: AbortSignal) => Promise<V>, keys: readonly unknown[], everyMs = 0): Loaded<V> {
  const [state, setState] = useState<{ value: V | null; error: ApiError | null; busy: boolean }>({ value: null, error: null, busy: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    load(abort.signal).then(
      (value) => setState({ value, error: null, busy: false }),
      (cause: unknown) => {
        if (abort.signal.aborted) return;
        const error = asApiError(cause);
        if (error.status === 401) session.lost();
        setState((old) => ({ value: old.value, error, busy: false }));
      });
    return () => abort.abort();
  }, [...keys, turn]);
  useEffect(() => {
    if (!everyMs) return undefined;
    const timer = setInterval(() => { if (!document.hidden) setTurn((old) => old + 1); }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { ...state, again: useCallback(() => setTurn((old) => old + 1), []) };
}
