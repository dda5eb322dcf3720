// SPDX-License-Identifier: Apache-2.0
// The controls that fit the same original to another limit, client, contract or level.
import type { View } from '../api/types';
import { useLogin } from '../state/session';
import { count } from './format';

const LOWEST = 128;
const STEPS = 400;
const LEVELS = ['minimal', 'standard', 'full'];

// The slider is logarithmic: from 128 tokens to what the whole answer has.
export const tokensAt = (step: number, most: number): number => {
  const raw = LOWEST * (most / LOWEST) ** (step / STEPS);
  const unit = raw < 1000 ? 10 : raw < 10_000 ? 50 : 500;
  return Math.max(LOWEST, Math.min(Math.round(raw / unit) * unit, most));
};
export const stepAt = (tokens: number, most: number): number =>
  Math.round((STEPS * Math.log(Math.max(tokens, LOWEST) / LOWEST)) / Math.log(most / LOWEST));

interface RefitProps {
  original: View;
  view: View;
  changed: boolean;
  query: URLSearchParams;
  onChange: (changes: Record<string, string | undefined>) => void;
}

export function Refit({ original, view, changed, query, onChange }: RefitProps) {
  const session = useLogin();
  const most = Math.max(Math.ceil((original.before.size.tokens * 1.1 + 100) / 100) * 100, 1000);
  const tokens = Number(query.get('tokens')) || Math.min(view.settings.target ?? view.settings.budget.tokens ?? most, most);
  const client = (query.get('client') ?? original.settings.client).replace(/^none$/, '');
  const contract = query.get('contract') ?? original.settings.contract;
  const level = query.get('level') ?? original.settings.level;
  const names = [...new Set([...(session?.clients.map((each) => each.name) ?? []), client])].filter(Boolean);
  const contracts = [...new Set([...(session?.contracts ?? []), contract])];
  return (
    <form class="refit" aria-label="Fit this answer again" onSubmit={(event) => event.preventDefault()}>
      <label class="slider"><span title="The most tokens that the answer may have">Limit</span><span class="quiet number" aria-hidden="true">{count(LOWEST)}</span>
        <input type="range" min="0" max={STEPS} value={stepAt(Math.min(tokens, most), most)} aria-valuetext={`${count(tokens)} tokens`}
          onInput={(event) => onChange({ tokens: String(tokensAt(Number(event.currentTarget.value), most)) })} />
        <span class="quiet number" aria-hidden="true">{count(most)}</span>
        <input type="number" class="number" min={LOWEST} value={tokens} aria-label="Limit in tokens"
          onChange={(event) => { const value = Number(event.currentTarget.value); if (value >= LOWEST) onChange({ tokens: String(Math.floor(value)) }); }} />
      </label>
      <label><span>Client</span>
        <select value={client} onChange={(event) => onChange({ client: event.currentTarget.value || 'none', tokens: undefined })}>
          <option value="">any</option>{names.map((name) => <option key={name} value={name}>{name}</option>)}
        </select></label>
      <label><span>Contract</span>
        <select value={contract} onChange={(event) => onChange({ contract: event.currentTarget.value })}>{contracts.map((name) => <option key={name} value={name}>{name}</option>)}</select></label>
      <label title="How many members of the data the tool shows. At full, it shows all. It says nothing about cutting"><span>Level</span>
        <select value={level} onChange={(event) => onChange({ level: event.currentTarget.value })}>{[...new Set([...LEVELS, level])].map((name) => <option key={name} value={name}>{name}</option>)}</select></label>
      {changed
        ? <><b class="as-given" title="Fitted without the cursor of the next page, which only the answer to a call has">Trial: would be {count(view.after.size.tokens)} tokens</b> <button type="button" class="is-on" onClick={() => onChange({ tokens: undefined, client: undefined, contract: undefined, level: undefined })} title={original.given ? 'Show what the model really got' : 'Fit the original as the row says'}>{original.given ? 'Back to what the model got' : 'As the row says'}</button></>
        : <span class="quiet as-given">{original.given ? 'Showing what the model really got' : 'Fitted again'}</span>}
    </form>
  );
}
