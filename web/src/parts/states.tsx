// SPDX-License-Identifier: Apache-2.0
// What a screen shows instead of content: nothing there yet, an error, loading.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/client';
import { line } from './format';

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return <div class="empty"><h2>{title}</h2>{children}</div>;
}

export function Failure({ error, again }: { error: ApiError; again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <b>{line(error.message, 400)}</b>
      {error.hint ? <p>{line(error.hint, 400)}</p> : null}
      {again ? <button type="button" onClick={again}>Try again</button> : null}
    </div>
  );
}

// Says so only if it takes long enough to notice.
export function Loading({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 400);
    return () => clearTimeout(timer);
  }, []);
  return <div class="loading" role="status">{late ? `Loading ${what} …` : ''}</div>;
}

export function Copy({ text, label = 'Copy', title }: { text: string; label?: string; title?: string }) {
  const [state, setState] = useState<'' | 'done' | 'failed'>('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async () => {
    setState((await copied(text)) ? 'done' : 'failed');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState(''), 1600);
  };
  return (
    <button type="button" class="copy" onClick={() => { void copy(); }} title={title ?? text.slice(0, 300)}>
      <span aria-live="polite">{state === 'done' ? 'Copied' : state === 'failed' ? 'Not copied' : label}</span>
    </button>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS and away from loopback there is no clipboard but this one.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

export function download(name: string, text: string, type = 'application/json'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
