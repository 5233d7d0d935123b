import { describe, expect, it } from '@jest/globals';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { checksOf, withAccount } = await import('./account-fields.js');

describe('the accounts of a form', () => {
  it('are those that are checked, and those that were added, also after a sign-in in between', () => {
    expect(checksOf(['wallet-EUR', 'wallet-SEK'], { 'wallet-EUR': '1930', 'wallet-USD': '1940' })).toEqual([
      'wallet-EUR',
      'wallet-SEK',
      'wallet-USD',
    ]);
  });

  it('are sent as they were chosen; an emptied one is none', () => {
    const chosen = withAccount({ wallets: { EUR: '1930' } }, 'wallet-USD', '1940');
    expect(withAccount(chosen, 'wallet-EUR', '').wallets).toEqual({ USD: '1940' });
  });
});
