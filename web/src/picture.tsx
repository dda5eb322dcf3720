// SPDX-License-Identifier: Apache-2.0
// The offline page: the view of one answer, from the data in the page itself. Nothing is requested.
import './style/base.css';
import './style/view.css';
import './style/picture.css';
import { render } from 'preact';
import { flushSync } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import type { View } from './api/types';
import { BeforeAfter } from './parts/before_after';
import { count, exactly, line } from './parts/format';
import { ThemeSwitch } from './parts/theme_switch';
import { Summary } from './parts/summary';

// What the file shows, and how it differs from an answer that a model got.
function about(view: View): string {
  const enfold = 'Enfold is a gateway between MCP clients and servers. It cuts long answers to the limit of the client.';
  const where = !view.handle ? '' : view.expires ? ' Nothing is lost until the date above: the archive of the gateway has the whole answer under this handle.' : ' Enfold archived the whole answer under this handle.';
  if (view.given) return enfold + where;
  const { budget, contract, client, level } = view.settings;
  const settings = [budget.tokens ? `limit ${count(budget.tokens)}` : '', `contract ${contract}`, client ? `client ${client}` : '', `level ${level}`].filter(Boolean).join(', ');
  return `${enfold} This is a new fit with these settings: ${settings}. ${view.row ? 'The model got another form of this answer.' : 'The answer of a gateway also has a cursor for its next page, so it may have room for fewer items.'}`;
}

function Picture({ view }: { view: View }) {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // What is printed has every line, not only those on the screen.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return (
    <main class="picture">
      <header class="picture-head">
        <div>
          <Summary view={view} in_file />
          <p class="quiet">{about(view)}</p>
        </div>
        <p class="picture-brand quiet">Enfold <ThemeSwitch /></p>
      </header>
      <BeforeAfter key={String(printing)} view={view} everything={printing} />
      <footer class="quiet">Made by Enfold from one tool answer. Everything shown is in this file.</footer>
    </main>
  );
}

const data = document.getElementById('view');
const place = document.getElementById('app')!;
if (data?.textContent) {
  const view = JSON.parse(data.textContent) as View;
  if (view.row) document.title = `${line(view.row.upstream, 40)} / ${line(view.row.tool, 60)}, ${exactly(view.row.time)} – Enfold`;
  render(<Picture view={view} />, place);
} else place.textContent = 'This file holds no answer.';
