import { flag, nullable, number, one, oneOf, shape, text, uuid } from '../../http/shape.js';

const REASONS = ['link-missing', 'entry-missing', 'hash-differs', 'number-missing'] as const;

/** What of the chain was changed first. Everything before it is as it was posted. */
export class ChainBreakDto extends shape({
  position: nullable(number({ description: 'place in the chain, from 1' })),
  entryId: nullable(uuid()),
  number: nullable(text({ example: '2026-000017' })),
  reason: oneOf(REASONS, {
    description:
      'link-missing: a posted entry is not in the chain; entry-missing: an entry of the chain, its group or its lines are not in the books; hash-differs: the entry or its link was changed; number-missing: a number was given and no entry has it',
  }),
}) {}

export class ChainHeadDto extends shape({
  position: number(),
  hash: text({ description: 'SHA-256 in hexadecimal' }),
}) {}

export class AuditChainDto extends shape({
  entries: number({ description: 'posted entries found as they were posted' }),
  intact: flag(),
  firstBroken: nullable(one(ChainBreakDto)),
  // The last link as it is stored. Kept elsewhere, it proves later that the chain was not written anew.
  head: nullable(one(ChainHeadDto)),
}) {}
