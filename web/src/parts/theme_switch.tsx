// SPDX-License-Identifier: Apache-2.0
// Light, dark, or as the system says; kept in the browser.
import { useState } from 'preact/hooks';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
type Theme = keyof typeof NEXT;
const SIGN = { auto: '◐', light: '☀', dark: '☾' };
const NAME = { auto: 'as the system', light: 'light', dark: 'dark' };

function stored(): Theme {
  try {
    const value = localStorage.getItem('enfold-theme');
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme = stored()): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(stored);
  const change = () => {
    const next = NEXT[theme];
    try {
      localStorage.setItem('enfold-theme', next);
    } catch { /* a file opened from a disk may have no storage */ }
    applyTheme(next);
    setTheme(next);
  };
  return (
    <button type="button" class="icon-button" onClick={change} title={`Colours: ${NAME[theme]}`} aria-label={`Colours: ${NAME[theme]}. Change`}>
      <span aria-hidden="true">{SIGN[theme]}</span>
    </button>
  );
}
