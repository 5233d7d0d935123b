import { describe, expect, it } from '@jest/globals';
import { CHAIN_START, checkLinks, type ChainLink } from './chain-check.js';

/** Stands for a hash: it shows what went in. */
const hashOf = (before: string, content: string) => `${before}>${content}`;

const link = (position: bigint, content: string | null, hash: string): ChainLink => ({
  position,
  entryId: `entry ${position.toString()}`,
  number: `2026-00000${position.toString()}`,
  content,
  hash,
});
const CHAIN = [link(1n, 'a', '>a'), link(2n, 'b', '>a>b'), link(3n, 'c', '>a>b>c')];
const check = (links: readonly ChainLink[], last = 3n) => checkLinks(CHAIN_START, links, last, hashOf);

it('an intact chain ends at its last link', () => {
  expect(check(CHAIN)).toEqual({ end: { position: 3n, hash: '>a>b>c' } });
});

it('a chain is checked page by page', () => {
  const first = checkLinks(CHAIN_START, CHAIN.slice(0, 2), 2n, hashOf);
  expect(first).toEqual({ end: { position: 2n, hash: '>a>b' } });
  expect(checkLinks(first.end, CHAIN.slice(2), 3n, hashOf)).toEqual({
    end: { position: 3n, hash: '>a>b>c' },
  });
});

it('an empty chain is intact', () => {
  expect(check([], 0n)).toEqual({ end: CHAIN_START });
});

describe('the first break is named', () => {
  const named = (position: bigint) => ({
    position,
    entryId: `entry ${position.toString()}`,
    number: `2026-00000${position.toString()}`,
  });

  it.each([
    ['content', [CHAIN[0], link(2n, 'B', '>a>b'), CHAIN[2]], { reason: 'hash-differs', ...named(2n) }, 1n],
    ['hash', [CHAIN[0], link(2n, 'b', '>a>x'), CHAIN[2]], { reason: 'hash-differs', ...named(2n) }, 1n],
    ['entry', [CHAIN[0], link(2n, null, '>a>b'), CHAIN[2]], { reason: 'entry-missing', ...named(2n) }, 1n],
    ['hash of the first', [link(1n, 'a', 'x'), CHAIN[1], CHAIN[2]], { reason: 'hash-differs', ...named(1n) }, 0n],
  ])('%s', (_, links, broken, reached) => {
    const result = check(links.filter((each) => each !== undefined));
    expect(result).toMatchObject({ broken, end: { position: reached } });
  });

  it.each([
    ['in the middle', [0, 2], 2n],
    ['at the start', [1, 2], 1n],
    ['at the end', [0, 1], 3n],
  ])('a link missing %s', (_, kept, position) => {
    const links = CHAIN.filter((_link, index) => kept.includes(index));
    expect(check(links).broken).toEqual({ reason: 'link-missing', position, entryId: null, number: null });
  });
});
