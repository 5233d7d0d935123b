import { describe, expect, it } from '@jest/globals';
import { formFieldsOf, settingsOfForm } from './erp-form-fields.js';

const KIND = {
  settingsSchema: {
    type: 'object',
    required: ['url', 'apiKey', 'format'],
    properties: {
      url: { type: 'string', title: 'Address', description: 'Where it runs.' },
      apiKey: { type: 'string' },
      format: { enum: ['sie', 'csv'] },
      draws: { type: 'boolean', default: false },
      seconds: { type: 'integer', default: 60 },
      accounts: { type: 'string', maxLength: 2_000_000 },
      guarantee: { type: 'object' },
      csrf: { type: 'string' },
      'no-field': { type: 'string' },
    },
  },
  secrets: ['apiKey'],
} as const;
const LONG = 'x'.repeat(20_001);
const CURRENT = { url: 'http://a', format: 'csv', accounts: LONG, guarantee: { level: 'none' }, 'no-field': '1' };

const FIELD = { title: '', note: '', choices: [], value: '', isRequired: false };

describe('the form of a kind', () => {
  it('has a field for each setting that a form can have', () => {
    expect(formFieldsOf(KIND, {})).toEqual([
      { ...FIELD, name: 'url', title: 'Address', note: 'Where it runs.', input: 'text', isRequired: true },
      { ...FIELD, name: 'apiKey', title: 'apiKey', input: 'password', isRequired: true },
      { ...FIELD, name: 'format', title: 'format', input: 'choice', choices: ['sie', 'csv'], isRequired: true },
      { ...FIELD, name: 'draws', title: 'draws', input: 'choice', choices: ['true', 'false'], value: 'false' },
      { ...FIELD, name: 'seconds', title: 'seconds', input: 'number', value: '60' },
      { ...FIELD, name: 'accounts', title: 'accounts', input: 'texts' },
    ]);
  });

  it('shows what is set, but no secret and no long text, which need not be entered again', () => {
    const shown = formFieldsOf(KIND, CURRENT).map(({ name, value, isRequired }) => [name, value, isRequired]);
    expect(shown).toEqual([
      ['url', 'http://a', true],
      ['apiKey', '', false],
      ['format', 'csv', true],
      ['draws', 'false', false],
      ['seconds', '60', false],
      ['accounts', '', false],
    ]);
  });
});

describe('what is made of a form', () => {
  it.each<[string, Record<string, string>, object, object]>([
    [
      'texts as the schema has them',
      { seconds: '30', draws: 'true', url: 'a\r\nb' },
      {},
      { seconds: 30, draws: true, url: 'a\nb' },
    ],
    ['what is no number for the schema to refuse', { seconds: '1e9' }, {}, { seconds: '1e9' }],
    ['nothing of what is empty, unknown, or the form’s own', { url: '', csrf: 'x', kind: 'y', other: 'z' }, {}, {}],
    [
      'what the form does not show stays',
      { url: 'http://b' },
      CURRENT,
      { url: 'http://b', accounts: LONG, guarantee: { level: 'none' }, 'no-field': '1' },
    ],
    ['and a long text is replaced', { accounts: 'new' }, { accounts: LONG }, { accounts: 'new' }],
  ])('%s', (_, form, current, settings) => {
    expect(settingsOfForm(KIND, form, current as never)).toEqual(settings);
  });
});
