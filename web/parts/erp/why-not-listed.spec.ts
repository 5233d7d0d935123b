import { expect, it } from '@jest/globals';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { whyNotListed } = await import('./why-not-listed.js');

it.each([
  [
    'the session has ended',
    { type: 'urn:problem:not-authenticated', title: 'Not signed in' },
    /^Your session has ended/,
  ],
  ['the connector is not reached', new TypeError('Failed to fetch'), /^The connector cannot be reached/],
  [
    'no company of the accounting system is linked yet',
    { type: 'urn:problem:setup-incomplete', title: 'Set-up incomplete' },
    /connect the accounting system first/,
  ],
  [
    'the accounting system is away',
    { type: 'urn:problem:erp-unavailable', title: 'The ERP does not respond' },
    /from the accounting system/,
  ],
])('says of a list that is not there that %s', (_, error, text) => {
  expect(whyNotListed(error)).toMatch(text);
});
