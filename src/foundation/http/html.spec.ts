import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('html', () => {
  it('escapes what is put in, and not what is HTML', () => {
    const inner = html`<b>${'<script>"&\''}</b>`;
    expect(html`<p title="${'"x"'}">${inner}${null}${undefined}${7}${[inner, html`!`]}</p>`.text).toBe(
      '<p title="&quot;x&quot;"><b>&lt;script&gt;&quot;&amp;&#39;</b>7<b>&lt;script&gt;&quot;&amp;&#39;</b>!</p>',
    );
  });
});
