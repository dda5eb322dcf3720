// SPDX-License-Identifier: Apache-2.0
// The file that shows one answer without the gateway: the page that `enfold fit --html` writes, with the
// view that is on the screen. So both have the same numbers.
import { ApiError } from '../api/client';
import type { View } from '../api/types';
import { download } from './states';

const PLACE = '<!--ENFOLD_VIEW-->';

export async function saveFile(view: View, expires: string | null): Promise<void> {
  const response = await fetch('/ui/picture.html', { credentials: 'same-origin' });
  const page = response.ok ? (await response.text()).split(PLACE) : [];
  if (page.length !== 2) throw new ApiError(response.status, 'no_template', 'The gateway has no template for the file.');
  // No text of the answer ends the element that it is in.
  const json = JSON.stringify({ ...view, expires }).replaceAll('<', '\\u003c');
  const name = (view.row?.tool ?? 'answer').replace(/[^\w.-]+/g, '_').slice(0, 60);
  download(`${name}-${view.row?.id ?? 0}.html`, `${page[0]}<script type="application/json" id="view">${json}</script>${page[1]}`, 'text/html');
}
