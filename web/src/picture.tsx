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
import { ThemeSwitch } from './parts/theme_switch';
import { Summary } from './parts/summary';

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
        <Summary view={view} />
        <p class="picture-brand quiet">Enfold <ThemeSwitch /></p>
      </header>
      <BeforeAfter key={String(printing)} view={view} everything={printing} />
      <footer class="quiet">Made by Enfold from one tool answer. Everything shown is in this file.</footer>
    </main>
  );
}

const data = document.getElementById('view');
const place = document.getElementById('app')!;
if (data?.textContent) render(<Picture view={JSON.parse(data.textContent) as View} />, place);
else place.textContent = 'This file holds no answer.';
