import { describe, expect, it } from '@jest/globals';
import { renderPage } from './page.js';

describe('an HTML page', () => {
  it('has its texts escaped, in elements and in attributes', () => {
    const hostile = `</title><script>alert('1')</script>"&`;
    const page = renderPage({ title: hostile, body: <p title={hostile}>{hostile}</p> });
    expect(page).toMatch(/^<!doctype html><html lang="en"><head><meta charSet="utf-8"\/>/i);
    expect(page).not.toContain('<script>');
    expect(page.match(/&lt;script&gt;/g)).toHaveLength(3);
    expect(page).not.toContain('"&"');
  });
});
