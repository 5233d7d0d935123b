import { field, shape } from '../../../../foundation/http/shape.js';

const REASONS = ['link-missing', 'entry-missing', 'hash-differs', 'number-missing'] as const;

/** What of the chain was changed first. Everything before it is as it was posted. */
export class ChainBreakDto extends shape({
  position: field.number('place in the chain, from 1').nullable(),
  entryId: field.uuid().nullable(),
  number: field.text({ example: '2026-000017' }).nullable(),
  reason: field.oneOf(
    REASONS,
    'link-missing: a posted entry is not in the chain; entry-missing: an entry of the chain, its group or its lines are not in the books; hash-differs: the entry or its link was changed; number-missing: a number was given and no entry has it',
  ),
}) {}

export class ChainHeadDto extends shape({
  position: field.number(),
  hash: field.text('SHA-256 in hexadecimal'),
}) {}

export class AuditChainDto extends shape({
  entries: field.number('posted entries found as they were posted'),
  intact: field.flag(),
  firstBroken: field.one(ChainBreakDto).nullable(),
  // The last link as it is stored. Kept elsewhere, it proves later that the chain was not rewritten.
  head: field.one(ChainHeadDto).nullable(),
}) {}
