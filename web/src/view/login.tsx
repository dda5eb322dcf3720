// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { api, ApiError } from '../api/client';
import { asApiError } from '../state/load';
import { session } from '../state/session';
import { Failure } from '../parts/states';

export function LoginForm() {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('key') as HTMLInputElement;
    setBusy(true);
    try {
      await api.login(field.value.trim());
      await session.load();
    } catch (cause) {
      setError(asApiError(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="alone">
      <h1>Enfold</h1>
      <p>Open the link that <code>enfold serve</code> printed. It works once; then the program prints a new one. With principals, enter the key of an operator.</p>
      <form onSubmit={(event) => { void submit(event); }}>
        <label for="key">Key or token</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required />
        <button type="submit" class="primary" disabled={busy}>Log in</button>
      </form>
      {error ? <Failure error={error} /> : null}
    </main>
  );
}
