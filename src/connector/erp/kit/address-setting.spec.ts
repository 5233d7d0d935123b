import { describe, expect, it } from '@jest/globals';
import { ledger } from '../ledger/ledger.erp.js';
import { tryton } from '../tryton/tryton.erp.js';

const TRYTON = { database: 'books', user: 'u', password: 'secret', journal: 'EXP' };

describe('an ERP that is entered again', () => {
  it.each([
    'https://books.example.com/erp',
    'https://books.example.com/erp/',
    'https://Books.Example.com/erp',
    'HTTPS://books.example.com:443/erp//',
  ])('is the same one, however its address is written: %s', (address) => {
    expect(ledger.systemOf({ url: address })).toBe('https://books.example.com/erp');
    expect(tryton.systemOf({ ...TRYTON, address })).toBe('https://books.example.com/erp books');
  });

  it.each(['http://books.example.com/erp', 'https://books.example.com:8443/erp', 'https://books.example.com/ERP'])(
    'is another one at %s',
    (url) => {
      expect(ledger.systemOf({ url })).toBe(url);
    },
  );
});
