import { expect, it } from '@jest/globals';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { problemText } = await import('./states.js');

it('says of a later version what a person does, not how a program sends it', () => {
  const detail = 'Read it again, and save with the new ETag.';
  expect(problemText({ type: 'urn:problem:version-changed', detail })).toBe(
    'It was saved by another request meanwhile. Look at what is there now, and repeat your change.',
  );
  expect(problemText({ type: 'urn:problem:other', detail })).toBe(detail);
});

it('says of a session that has ended what a person does, not how a program sends its token', () => {
  const detail = 'Send a valid API token of the installation as "Authorization: Bearer <token>", or sign in at /app.';
  expect(problemText({ type: 'urn:problem:not-authenticated', detail })).toBe(
    'Your session has ended: sign in again in another tab, or load the page again.',
  );
});

it('says of a page of another session what to do', () => {
  expect(problemText({ type: 'urn:problem:csrf-token', detail: 'Send the csrfToken as X-CSRF-Token.' })).toBe(
    'Nothing was changed: meanwhile another tab of this browser has signed in or gone on in another company. Load the page again.',
  );
});

it.each([
  [
    'erp-sign-in-needed',
    'With these settings a person has to sign in at this accounting system: press the button for it.',
  ],
  ['erp-without-sign-in', 'These settings need no sign-in at the accounting system: press the button beside it.'],
  ['erp-not-connected', 'On the page "Set-up", first connect the accounting system'],
  ['settings-missing', 'On the page "Set-up", first connect the accounting system'],
  ['setup-incomplete', 'On the page "Set-up", first connect the accounting system'],
])('says of %s what a person presses, not which address a program calls', (type, text) => {
  expect(problemText({ type: `urn:problem:${type}`, detail: 'PUT /api/v1/erp-connection' })).toMatch(text);
});
