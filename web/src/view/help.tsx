// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import { helpIsOpen, KEYS } from '../state/keys';
import { useLogin } from '../state/session';
import { useSignal } from '../state/signal';

const WORDS = [
  ['≈', 'an estimate: of a long answer Enfold counts samples. Open the answer to count it all'],
  ['whole', 'all data of the server reached the model'],
  ['original', 'the answer as the server sent it, redacted'],
  ['archive', 'where the gateway keeps the originals of cut answers for a time, if its configuration has one'],
  ['handle', 'the number by which a client, or this page, opens an original'],
  ['limit', 'the most tokens that one answer may have'],
  ['allowance', 'the most tokens that all answers of one session may have'],
  ['envelope', 'what Enfold writes around the data: status, handle, how to get more'],
  ['facts', 'counts and ranges, computed from the whole answer'],
  ['index', 'one short row for each item that is not in the data'],
  ['contract', 'the form in which Enfold writes answers'],
  ['upstream', 'a server behind this gateway'],
  ['principal', 'a user of the configuration, known by a key'],
] as const;

// A modal dialog of the browser: it keeps the focus, Esc closes it, and the focus returns.
export function Help() {
  const is_open = useSignal(helpIsOpen);
  const dialog = useRef<HTMLDialogElement>(null);
  const session = useLogin();
  useEffect(() => {
    if (is_open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [is_open]);
  // `close` comes a task after the dialog has gone, `cancel` before: a key pressed between is for the page.
  const close = () => helpIsOpen.set(false);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onCancel={close} onClose={close} onClick={(event) => { if (event.target === dialog.current) close(); }}>
      <div>
        <header><h2 id="help-title">Keys</h2><button type="button" class="icon-button" aria-label="Close" onClick={close}><span aria-hidden="true">✕</span></button></header>
        <dl>{KEYS.map(({ keys, what }) => <div key={keys}><dt>{keys.split(' · ').map((each) => <kbd key={each}>{each}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
        <h2>Colours</h2>
        <p class="legend-line"><span class="tag">grey</span> what the model got</p>
        <p class="legend-line"><span class="tag w-cut">cut</span> shortened to the limit of the client</p>
        <p class="legend-line"><span class="tag w-repaired">repaired</span> made valid for its client or contract</p>
        <p class="legend-line"><span class="tag w-redacted">redacted</span> a credential was replaced</p>
        <p class="legend-line"><span class="tag w-failed">failed</span> the tool or the call failed</p>
        <h2>Words</h2>
        <dl class="words">{WORDS.map(([word, meaning]) => <div key={word}><dt>{word}</dt><dd>{meaning}</dd></div>)}</dl>
        <p class="quiet">Enfold {session?.version ?? ''}. Everything here is also in the API below <code>/api/v1/</code>.</p>
      </div>
    </dialog>
  );
}
