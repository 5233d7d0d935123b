// An ERP that decides later, and its adapter under the contract suite.
import type { ErpHarness } from '../../../src/erp-contract/harness.js';
import { API_KEY } from '../tiny-books/tiny-books-server.js';
import { bookedEntries, knownCompany } from '../tiny-books/tiny-books-harness.js';
import { LaterBooks } from './later-books-server.js';
import { laterBooks } from './later-books.erp.js';

export const harnesses: readonly ErpHarness[] = [
  {
    name: 'Tiny Books (later)',
    definition: laterBooks,
    capabilities: laterBooks.capabilities({}),
    currencies: ['USD', 'JPY', 'KWD'],
    isLocal: true,
    async start() {
      const office = await LaterBooks.start();
      return {
        company: knownCompany(),
        address: office.url,
        settings: (url) => ({ url, apiKey: API_KEY }),
        commits: ({ method, path }) => path === '/bookings' || (method === 'POST' && path === '/jobs'),
        entriesUnder: (key) => Promise.resolve(bookedEntries(office.books, key)),
        carriedOut: () => office.carriedOut(),
        stop: () => office.stop(),
      };
    },
  },
];
