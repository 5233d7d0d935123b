import { describe, expect, it } from '@jest/globals';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import { englishText, localize } from '../../messages/texts.js';
import { isReady, setupSteps, type SetupFacts } from './setup.js';
import { settingsOf } from './mapping.js';
import { exampleTargets, numbered } from './rules.fixtures.js';
import { targetsIn } from './targets.js';

const COMPLETE: SetupFacts = {
  connection: 'active',
  notifications: 'on',
  erp: { state: 'reachable', targets: exampleTargets, keepsDrafts: true },
  settings: { accounts: companyData.settings, policies: companyData.policies },
  rules: [],
  now: new Date('2026-02-10T12:00:00Z'),
};

const accounts = (changes: object) => ({
  settings: { accounts: { ...companyData.settings, ...changes }, policies: companyData.policies },
});

function open(changes: Partial<SetupFacts>) {
  const steps = setupSteps({ ...COMPLETE, ...changes });
  for (const { detail } of steps) {
    // Every text is found, with all that stands in it.
    expect(englishText(detail)).toMatch(/^[A-Z"\d][^{}]+\.$/);
    expect(localize('de', detail).text).not.toBe(englishText(detail));
  }
  return {
    ready: isReady(steps),
    steps: steps
      .filter(({ state }) => state !== 'done')
      .map(({ check, state, blocks }) => [check, state, blocks].join(' ')),
  };
}

describe('the set-up steps', () => {
  it.each<[string, Partial<SetupFacts>, boolean, readonly string[]]>([
    ['of the examples', {}, true, []],
    ['being connected', { connection: 'authorized' }, false, ['platform-connection open everything']],
    ['to be connected again', { connection: 'needs_reauthorization' }, false, ['platform-connection open everything']],
    ['without events', { notifications: 'none' }, true, ['platform-subscription open nothing']],
    ['with events switched off', { notifications: 'off' }, true, ['platform-subscription open nothing']],
    [
      'in a closed period, with an open one later',
      { now: new Date('2026-01-10T12:00:00Z') },
      true,
      ['open-period open nothing'],
    ],
    ['after the last period', { now: new Date('2026-12-10T12:00:00Z') }, false, ['open-period open everything']],
    // Copenhagen is an hour ahead.
    ['at the company’s midnight', { now: new Date('2026-01-31T23:30:00Z') }, true, []],
    ['without a wallet', accounts({ wallets: {} }), true, ['wallet-EUR open item-types']],
    [
      'with a wallet that is gone',
      accounts({ wallets: { EUR: '1935', USD: '0' } }),
      false,
      ['wallet-USD open everything'],
    ],
    ['without out-of-pocket', accounts({ outOfPocket: '' }), true, ['out-of-pocket open item-types']],
    ['without a bank', accounts({ companyBank: '' }), true, ['company-bank open item-types']],
    [
      'with a bank per currency only',
      accounts({ companyBank: undefined, companyBankByCurrency: { EUR: '1930' } }),
      true,
      [],
    ],
    [
      'with a wrong bank of one currency',
      accounts({ companyBankByCurrency: { USD: '9999' } }),
      false,
      ['company-bank-USD open everything'],
    ],
    ['without payables', accounts({ accountsPayable: '' }), true, ['accounts-payable open item-types']],
    [
      'without FX accounts',
      accounts({ fxRounding: '', realizedFx: '' }),
      true,
      ['fx-rounding open item-types', 'realized-fx open item-types'],
    ],
    [
      'with an archived fallback',
      accounts({ fallbackAccounts: { fee: '9999' } }),
      true,
      ['fallback-fee open item-types'],
    ],
    ['with a rule that sends astray', { rules: [numbered(1, { target: '0' })] }, true, ['rules open nothing']],
    ['with a rule that is idle only', { rules: [numbered(1, { source: '6071' })] }, true, []],
    [
      'that wants drafts of an ERP without',
      { erp: { state: 'reachable', targets: exampleTargets, keepsDrafts: false } },
      false,
      ['policies open everything'],
    ],
    [
      'whose ERP company is gone',
      { erp: { state: 'company-not-found' }, settings: undefined },
      false,
      [
        'erp-company open everything',
        'policies open everything',
        'out-of-pocket open item-types',
        'company-bank open item-types',
        'accounts-payable open item-types',
        'fx-rounding open item-types',
        'realized-fx open item-types',
      ],
    ],
    [
      'whose ERP does not respond',
      { erp: { state: 'unreachable', kind: 'timeout' } },
      false,
      [
        'erp-reachable open everything',
        'wallet-EUR not-known item-types',
        'out-of-pocket not-known item-types',
        'company-bank not-known item-types',
        'accounts-payable not-known item-types',
        'fx-rounding not-known item-types',
        'realized-fx not-known item-types',
        'fallback-fee not-known item-types',
      ],
    ],
  ])('%s', (_, changes, ready, steps) => {
    expect(open(changes)).toEqual({ ready, steps });
  });

  it.each(['unreachable', 'timeout', 'rate-limit', 'authentication', 'server-error'] as const)(
    'describe the ERP failure %s in English and German',
    (kind) => {
      const steps = setupSteps({ ...COMPLETE, erp: { state: 'unreachable', kind } });
      const detail = steps.find(({ check }) => check === 'erp-reachable')?.detail;
      expect(detail?.code).toBe(`setup.erp-reachable.${kind}`);
      expect(localize('de', detail ?? { code: '', parameters: {} }).text).toMatch(/^Die Buchhaltung .+: .+\.$/);
    },
  );

  it('name each account in the language of the reader', () => {
    const steps = setupSteps({ ...COMPLETE, erp: { state: 'unreachable', kind: 'timeout' } });
    const detailOf = (check: string, language: string) =>
      steps.filter((step) => step.check === check).map(({ detail }) => localize(language, detail).text);
    expect(detailOf('wallet-EUR', 'de').join()).toMatch(/^„Kartenkonto EUR“ nennt das Konto /);
    expect(detailOf('out-of-pocket', 'de').join()).toMatch(/^„Auslagen der Mitarbeitenden“ nennt das Konto /);
    expect(detailOf('wallet-EUR', 'en').join()).toMatch(/^"Wallet \(EUR\)" /);
  });

  it('name the action and the page of each open step', () => {
    const steps = setupSteps({
      ...COMPLETE,
      connection: 'needs_reauthorization',
      ...accounts({ outOfPocket: '9999' }),
    });
    const details = steps
      .filter(({ state }) => state === 'open')
      .map(({ detail, resolvedBy }) => [englishText(detail), resolvedBy]);
    expect(details).toEqual([
      [
        'The platform no longer accepts the connector: an administrator of the company must connect it again.',
        'GET /connect',
      ],
      [
        '"Out-of-pocket" names account 9999. The accounting system’s account 9999 (Closed account) is not active: choose another, or activate it there.',
        'PUT /api/v1/settings',
      ],
    ]);
  });
});

it.each<[string, string, 'asset' | 'liability' | 'equity' | 'income' | 'expense' | undefined, boolean]>([
  ['wallets', '1935', 'asset', true],
  ['wallets', '1935', 'liability', true],
  ['wallets', '1935', 'equity', true],
  ['wallets', '1935', undefined, true],
  ['wallets', '1935', 'expense', false],
  ['accountsPayable', '2440', 'income', false],
  ['accountsPayable', '2440', 'liability', true],
  ['realizedFx', '3960', 'income', true],
  ['realizedFx', '3960', 'asset', false],
])('treat as %s account %s of type %s as ready: %s', (setting, code, type, isFit) => {
  const chart = companyData.accounts.map((account) => (account.code === code ? { ...account, type } : account));
  const { accounts: settings, policies } = accounts({
    [setting]: setting === 'wallets' ? { EUR: code } : code,
    ...(setting === 'realizedFx' && { fxRounding: '' }),
  }).settings;
  const targets = targetsIn({ ...companyData, accounts: chart }, settingsOf({ accounts: settings, policies }));
  expect(
    open({ settings: { accounts: settings, policies }, erp: { state: 'reachable', targets, keepsDrafts: true } }).ready,
  ).toBe(isFit);
});
