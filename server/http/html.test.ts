import { expect, test } from 'vitest';
import { html } from './html.ts';

test('escapes everything that is put in, but its own', () => {
  const item = (text: string) => html`<li title="${text}">${text}</li>`;
  expect(html`<ul>${['a', '"><script>'].map(item)}${null}${false}${3}</ul>`.text).toBe(
    '<ul><li title="a">a</li><li title="&quot;&gt;&lt;script&gt;">&quot;&gt;&lt;script&gt;</li>3</ul>',
  );
});
