import { expect, it } from '@jest/globals';
import { fileLink, isReader, readersToken } from './reader.js';
import type { MeResponse } from './schema.js';

const caller = (installationId: string, name: string, csrfToken: string): MeResponse => ({
  installationId,
  role: 'admin',
  name,
  displayName: null,
  memberId: null,
  hasAdmin: true,
  language: null,
  signedInRecently: true,
  csrfToken,
});

it('a page keeps the token of the company and the person it was loaded for, also when another tab goes on as another', () => {
  expect([isReader(caller('A', 'person 1', 'first')), readersToken()]).toEqual([true, 'first']);
  expect([isReader(caller('B', 'person 1', 'second')), readersToken()]).toEqual([false, 'first']);
  expect([isReader(caller('A', 'person 2', 'third')), readersToken()]).toEqual([false, 'first']);
  // After another sign-in of the same person.
  expect([isReader(caller('A', 'person 1', 'fourth')), readersToken()]).toEqual([true, 'fourth']);
});

it('a link to a file names the company that the page shows', () => {
  isReader(caller('A', 'person 1', 'first'));
  isReader(caller('B', 'person 1', 'second'));
  expect(fileLink('/rules', { format: 'csv' })).toBe('/rules?format=csv&installationId=A');
});
