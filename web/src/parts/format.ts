// SPDX-License-Identifier: Apache-2.0
// Numbers, times and texts for people.

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const count = (value: number): string => grouped.format(value);

// 9,609 stays exact; beyond four digits three say enough, and a title has the exact number.
export function short(value: number): string {
  if (value < 10_000) return count(value);
  for (const [limit, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    // As soon as it would be rounded to 1,000 of the smaller unit.
    if (value >= 0.9995 * limit) return (value / limit).toPrecision(3).replace(/\.0+$/, '') + ' ' + unit;
  }
  return count(value);
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function milliseconds(value: number): string {
  if (value < 0.1) return '<0.1';
  if (value < 10) return value.toFixed(1);
  return count(value);
}

export const percent = (part: number, whole: number): string => {
  if (whole <= 0) return '–';
  const share = (100 * part) / whole;
  return share > 0 && share < 10 ? `${share.toFixed(1)} %` : `${Math.round(share)} %`;
};

// What became of the tokens, always in this direction: "96 % fewer", "43 % more"; empty: as many.
export function change(before: number, after: number): string {
  if (before <= 0 || before === after) return '';
  return after < before ? `${percent(before - after, before)} fewer` : `${percent(after - before, before)} more`;
}

// The same where a column says what it is: "−96 %", "+43 %".
export function signedChange(before: number, after: number): string {
  if (before <= 0 || before === after) return '';
  return after < before ? `−${percent(before - after, before)}` : `+${percent(after - before, before)}`;
}

const two = (value: number) => String(value).padStart(2, '0');

export function clock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '–' : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

// "3 min ago", "in 7 days"; a title has the date.
export function relative(time: string | null, now = Date.now()): string {
  const at = time ? new Date(time).getTime() : NaN;
  if (Number.isNaN(at)) return '–';
  const seconds = Math.round(Math.abs(at - now) / 1000);
  const [amount, unit] = seconds < 60 ? [seconds, 's'] : seconds < 5400 ? [Math.round(seconds / 60), 'min']
    : seconds < 129_600 ? [Math.round(seconds / 3600), 'h'] : [Math.round(seconds / 86_400), 'days'];
  return at <= now ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}

export function date(time: string | null): string {
  const at = time ? new Date(time) : null;
  return !at || Number.isNaN(at.getTime()) ? '–' : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export const exactly = (time: string | null): string => (time ? `${date(time)} ${clock(time)}` : '');

export function moment(time: string | null): string {
  if (!time) return '–';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '–';
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return day === today() ? clock(time) : `${day} ${clock(time).slice(0, 5)}`;
}

function today(): string {
  const now = new Date();
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

export const plural = (value: number, one: string, many = one + 's'): string => `${count(value)} ${value === 1 ? one : many}`;

// Controls, invisible characters and those that change the direction of text are shown, not obeyed.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

export function visible(text: string): string {
  return text.replace(HIDDEN, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

// One line of at most `limit` characters.
export function line(text: string, limit = 300): string {
  const cut = text.length > limit ? text.slice(0, limit) + '…' : text;
  return visible(cut.replace(/\s*\n\s*/g, ' ↵ '));
}
