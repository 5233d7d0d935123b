import { expect, it } from '@jest/globals';
import { localizedSchema } from './localized-schema.js';

const SCHEMA = {
  type: 'object',
  required: ['address'],
  properties: {
    address: {
      type: 'string',
      title: 'Address',
      description: 'Where it runs.',
      translations: { de: { title: 'Adresse', description: 'Wo es läuft.' } },
    },
    // A setting may have the name of the word itself.
    translations: { type: 'object', properties: { size: { title: 'Size', translations: { de: { title: 'Größe' } } } } },
  },
};

it('has the texts of the language of the reader, at every depth', () => {
  expect(localizedSchema(SCHEMA, 'de')).toEqual({
    type: 'object',
    required: ['address'],
    properties: {
      address: { type: 'string', title: 'Adresse', description: 'Wo es läuft.' },
      translations: { type: 'object', properties: { size: { title: 'Größe' } } },
    },
  });
});

it('has its own texts for a reader of another language', () => {
  expect(localizedSchema(SCHEMA, 'fr')).toEqual({
    type: 'object',
    required: ['address'],
    properties: {
      address: { type: 'string', title: 'Address', description: 'Where it runs.' },
      translations: { type: 'object', properties: { size: { title: 'Size' } } },
    },
  });
});
