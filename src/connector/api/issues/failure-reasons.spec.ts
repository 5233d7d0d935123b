import { describe, expect, it } from '@jest/globals';
import type { Issue } from '../../bookkeeping/item/issues.js';
import { failureIn } from './failure-reasons.js';

const TOLD = 'Line 2: account 6420 (Software) is not active in the accounting system.';
const failed = { failureType: 'account_unknown', failureReason: TOLD };
const account: Issue = { kind: 'account', reference: '6420', name: 'Software' };

describe('failure reasons', () => {
  it('are for an English reader the text the platform received', () => {
    expect(failureIn('en', failed, [account])).toMatchObject({ failureReason: TOLD, reportedReason: TOLD });
  });

  it.each<[string, typeof failed, readonly Issue[], string]>([
    [
      'by the issues that the planner named',
      failed,
      [account],
      'Das Konto 6420 (Software) der Plattform ist in der Buchhaltung nicht bekannt.',
    ],
    [
      'with a setting by its name',
      { ...failed, failureType: 'missing_configuration' },
      [{ kind: 'setting-missing', reference: 'wallet-EUR' }],
      'Für die Einstellung „Kartenkonto EUR“ ist kein Konto gewählt.',
    ],
    [
      'with the words of an accounting system as a quotation',
      {
        failureType: 'accounting_system_validation_failure',
        failureReason: 'The accounting system refused the entry: Nope',
      },
      [{ kind: 'refused', reference: 'Nope' }],
      'Der Plattform wurde gemeldet: „The accounting system refused the entry: Nope“',
    ],
    [
      'by its kind where no issue is known, with the rest as a quotation',
      failed,
      [],
      `Ein Konto ist in der Buchhaltung nicht bekannt. Der Plattform wurde gemeldet: „${TOLD}“`,
    ],
  ])('are translated to German: %s', (_, what, issues, expected) => {
    const { failureReason, reportedReason } = failureIn('de', what, issues);
    expect(failureReason).toContain(expected);
    expect(reportedReason).toBe(what.failureReason);
  });

  it('are absent where nothing failed', () => {
    expect(failureIn('de', { failureType: null, failureReason: null })).toEqual({
      failureType: null,
      failureReason: null,
      reportedReason: null,
      failure: null,
      reasons: [],
    });
  });
});

it('a reason that is not kept any more is no quotation', () => {
  const cleared = { failureType: 'vendor_unknown', failureReason: 'The reason is not kept any more.' };
  expect(failureIn('de', { ...cleared, failureMessages: null }).failureReason).toBe(
    'Der Grund wird nicht mehr aufbewahrt.',
  );
  expect(failureIn('en', cleared).failureReason).toBe(cleared.failureReason);
});
