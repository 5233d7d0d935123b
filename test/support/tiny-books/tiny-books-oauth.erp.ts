// Tiny Books where people sign in at its authorization server instead of entering a key here.
import * as kit from 'erp-export-connector/erp-kit';
import { tinyBooks } from './tiny-books.erp.js';

export const tinyBooksOAuth = kit.defineErp({
  ...tinyBooks,
  id: 'tiny-books-oauth',
  name: 'Tiny Books (with sign-in)',
  connection: {
    schema: {
      type: 'object',
      required: ['url', 'signInAt'],
      additionalProperties: false,
      properties: {
        url: { type: 'string', format: 'uri', title: 'Address' },
        signInAt: { type: 'string', format: 'uri', title: 'Address of its authorization server' },
        endpoints: { enum: ['discovered', 'known'] },
      },
    },
    secrets: [],
    auth: {
      kind: 'oauth2',
      server(settings) {
        const issuer = kit.textSetting(settings, 'signInAt');
        return settings['endpoints'] === 'known'
          ? { authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token` }
          : { issuer };
      },
      scopes: ['books', 'offline_access'],
      clientAuthentication: 'basic',
      parameters: { prompt: 'consent' },
    },
  },
});
