import { describe, expect, it } from '@jest/globals';
import type { ErpKindResponse } from '../../api/schema.js';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { propertiesOf, settingsOf } = await import('./settings-fields.js');

const FILES = {
  kind: 'files',
  name: 'Files',
  secrets: ['bucketSecretAccessKey'],
  settingsSchema: {
    required: ['companyName'],
    properties: {
      companyName: { type: 'string', maxLength: 100 },
      closedUntil: { type: 'string', default: '' },
      region: { type: 'string', default: 'us-east-1' },
      consultant: { type: 'integer' },
      perDay: { type: 'boolean', default: false },
      bucketSecretAccessKey: { type: 'string' },
      accounts: { type: 'string', maxLength: 2_000_000, default: '' },
    },
  },
} as unknown as ErpKindResponse;
const CURRENT = {
  companyName: 'Acme',
  closedUntil: '2026-09-30',
  region: 'eu-north-1',
  consultant: 1001,
  accounts: '',
};

describe('the settings that are sent', () => {
  it.each([
    ['what was not touched as it is', {}, CURRENT],
    [
      'an emptied one no more',
      { closedUntil: '', region: '' },
      { companyName: 'Acme', consultant: 1001, accounts: '' },
    ],
    ['a secret that was left empty not, so that the API keeps it', { bucketSecretAccessKey: '' }, CURRENT],
    ['a number as one, with zeros before it', { consultant: ' 0042 ' }, { ...CURRENT, consultant: 42 }],
    ['yes and no as such', { perDay: 'true' }, { ...CURRENT, perDay: true }],
    [
      'what is no number as it was typed: the API says what is wrong',
      { consultant: '12a' },
      { ...CURRENT, consultant: '12a' },
    ],
  ])('have %s', (_, values, sent) => {
    expect(settingsOf(FILES, values as Record<string, string>, CURRENT)).toEqual({ perDay: false, ...sent });
  });

  it('of a new connection have what stands there by default', () => {
    expect(settingsOf(FILES, { companyName: 'Acme' }, {})).toEqual({
      companyName: 'Acme',
      region: 'us-east-1',
      perDay: false,
    });
  });
});

it('a list has lines, a name has none', () => {
  const lines = propertiesOf(FILES).filter(({ isLong }) => isLong);
  expect(lines.map(({ name }) => name)).toEqual(['accounts']);
});

it('yes and no are words, not what a program calls them', () => {
  const [perDay] = propertiesOf(FILES).filter(({ name }) => name === 'perDay');
  expect(perDay?.choices.map(({ label }) => label)).toEqual(['yes', 'no']);
});
