// SPDX-License-Identifier: Apache-2.0
// A JSON text as lines, without marks.
import { useMemo } from 'preact/hooks';
import { visible } from './format';
import { indent, keyText, layoutJson } from './json_lines';
import { useLineHeight } from './media';
import { PartTree } from './part_tree';
import { useVirtual } from './virtual';

export function JsonView({ text, label }: { text: string; label: string }) {
  const lines = useMemo(() => layoutJson(text, 110, new PartTree([])).lines, [text]);
  const lineHeight = useLineHeight();
  const virtual = useVirtual(lines.length, lineHeight);
  const { first, last } = virtual.window;
  return (
    <div class="lines json-view" ref={virtual.ref} tabIndex={0} role="region" aria-label={label}>
      <div class="spacer" style={{ height: `${virtual.height}px` }}>
        <div class="slice" style={{ transform: `translateY(${first * lineHeight}px)` }}>
          {lines.slice(first, last).map((line, index) => (
            <div class="line" key={first + index}>
              <span class="code" style={{ paddingLeft: `${indent(line.depth) + (line.kind === 'more' ? 2 : 0)}ch` }}>
                {typeof line.key === 'string' ? <span class="key">{visible(keyText(line))}: </span> : null}
                <span class={`is-${line.type}`}>{visible(line.text)}{line.comma ? ',' : ''}</span>
              </span>
            </div>))}
        </div>
      </div>
    </div>
  );
}
