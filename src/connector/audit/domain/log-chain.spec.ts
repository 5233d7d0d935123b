import { describe, expect, it } from '@jest/globals';
import { LOG_CHAIN_START, canonicalText, checkEntries, type AuditRecord } from './log-chain.js';

const FIRST: AuditRecord = {
  installationId: '0b9c5c1e-0000-4000-8000-000000000001',
  position: 1n,
  occurredAtMicros: 1_795_265_690_000_001n,
  actor: 'token "ä"\n',
  requestId: null,
  object: 'installation',
  objectId: 'x',
  action: 'changed',
  before: '{ "state" : "active", "big" : 9007199254740993 }',
  after: null,
  hash: '0|1',
};

/** Stands for SHA-256: shows what was chained. */
const hashOf = (before: string, text: string) => `${before === '' ? '0' : before}|${/, (\d+), /.exec(text)?.[1] ?? ''}`;

const chain = (count: number): readonly AuditRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    ...FIRST,
    position: BigInt(index + 1),
    hash: ['0', ...Array.from({ length: index + 1 }, (__, place) => (place + 1).toString())].join('|'),
  }));

describe('the canonical text', () => {
  it('is a JSON array with the values before and after as they are stored', () => {
    expect(canonicalText(FIRST)).toBe(
      '["0b9c5c1e-0000-4000-8000-000000000001", 1, 1795265690000001, "token \\"ä\\"\\n", null, "installation", "x", ' +
        '"changed", { "state" : "active", "big" : 9007199254740993 }, null]',
    );
  });
});

describe('verification of a chain', () => {
  it.each([
    ['all of it', chain(3), 3n, { position: 3n, hash: '0|1|2|3' }, undefined],
    ['nothing', [], 0n, { position: 0n, hash: '' }, undefined],
    [
      'a missing first entry',
      chain(3).slice(1),
      3n,
      { position: 0n, hash: '' },
      { reason: 'entry-missing', position: 1n },
    ],
    [
      'a missing entry in between',
      chain(3).filter(({ position }) => position !== 2n),
      3n,
      { position: 1n, hash: '0|1' },
      { reason: 'entry-missing', position: 2n },
    ],
    ['a missing end', chain(2), 3n, { position: 2n, hash: '0|1|2' }, { reason: 'entry-missing', position: 3n }],
    [
      'another hash',
      chain(3).map((each) => (each.position === 2n ? { ...each, hash: '0|1|9' } : each)),
      3n,
      { position: 1n, hash: '0|1' },
      { reason: 'hash-differs', position: 2n },
    ],
    [
      'an entry twice',
      [...chain(1), ...chain(2)],
      2n,
      { position: 1n, hash: '0|1' },
      { reason: 'entry-missing', position: 2n },
    ],
  ])('with %s', (_, records, last, end, broken) => {
    expect(checkEntries(LOG_CHAIN_START, records, last, hashOf)).toEqual(
      broken === undefined ? { end } : { end, broken },
    );
  });

  it('continues from where the last one ended', () => {
    const left = { position: 2n, hash: '0|1|2' };
    expect(checkEntries(left, chain(4).slice(2), 4n, hashOf)).toEqual({
      end: { position: 4n, hash: '0|1|2|3|4' },
    });
  });
});
