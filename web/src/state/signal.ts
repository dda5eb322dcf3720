// SPDX-License-Identifier: Apache-2.0
// A value that components read and are told about.
import { useEffect, useState } from 'preact/hooks';

export class Signal<V> {
  private listeners = new Set<() => void>();
  constructor(private current: V) {}
  get(): V { return this.current; }
  set(value: V): void {
    this.current = value;
    this.listeners.forEach((listener) => listener());
  }
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }
}

export function useSignal<V>(signal: Signal<V>): V {
  const [value, setValue] = useState(() => signal.get());
  useEffect(() => {
    const update = () => setValue(() => signal.get());
    update();
    return signal.listen(update);
  }, [signal]);
  return value;
}
