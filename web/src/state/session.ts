// SPDX-License-Identifier: Apache-2.0
// Who looks at the page: not known yet, not logged in, or logged in.
import { api, ApiError } from '../api/client';
import type { Session } from '../api/types';
import { Signal } from './signal';

export type Login = { state: 'loading' } | { state: 'out' } | { state: 'in'; session: Session } | { state: 'error'; error: ApiError };

class SessionState extends Signal<Login> {
  constructor() { super({ state: 'loading' }); }

  async load(): Promise<void> {
    try {
      this.set({ state: 'in', session: await api.session() });
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : new ApiError(0, 'page', String(cause));
      this.set(error.status === 401 || error.status === 403 ? { state: 'out' } : { state: 'error', error });
    }
  }

  async refresh(): Promise<void> {
    try {
      this.set({ state: 'in', session: await api.session() });
    } catch (cause) {
      // That the gateway is away is said by the state of the event stream.
      if (cause instanceof ApiError && cause.status === 401) this.lost();
    }
  }

  lost(): void {
    if (this.get().state !== 'out') this.set({ state: 'out' });
  }
}

export const session = new SessionState();

export function useLogin(): Session | null {
  const login = session.get();
  return login.state === 'in' ? login.session : null;
}
