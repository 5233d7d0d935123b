import { Day } from '../../http/field.js';
import { PageQuery, pageOf } from '../../http/page.js';
import type { EntryState } from '../domain/posting-outcome.js';
import { LineTaxDto } from '../journal-entry.dto.js';
import { day, flag, many, nullable, number, object, one, oneOf, shape, text, uuid } from '../../http/shape.js';

export class InspectedLineDto extends shape({
  accountCode: text(),
  amountMinor: text({ description: 'minor units of the entry’s currency, debit positive' }),
  taxCode: nullable(text()),
  tax: nullable(one(LineTaxDto)),
  vendorNumber: nullable(text()),
  dimensions: object<Readonly<Record<string, string>>>({ description: 'dimension code → value code' }),
}) {}

export class InspectedEntryDto extends shape({
  id: uuid(),
  role: text(),
  part: number({ description: 'among the entries of its role, from 1' }),
  state: oneOf<EntryState>(['draft', 'posted', 'reversed', 'discarded']),
  postingDate: day(),
  currency: text(),
  settlementOpen: nullable(
    flag({
      description:
        'whether the entry and the item that it was posted to settle are both open; null when it is not posted or has no settlement intent',
    }),
  ),
  lines: many(InspectedLineDto),
}) {}

export class InspectedGroupDto extends shape({
  key: text(),
  revision: number(),
  contentDigest: text(),
  entries: many(InspectedEntryDto),
}) {}

export class InspectedGroupsDto extends shape({
  data: many(InspectedGroupDto, { description: 'every revision under the keys, oldest first' }),
}) {}

export class ListedGroupsQuery extends PageQuery {
  /** First posting date wanted. */
  @Day()
  readonly from!: string;

  /** Last posting date wanted, included. */
  @Day()
  readonly to!: string;
}

export class ListedGroupDto extends shape({
  id: uuid(),
  key: text(),
  revision: number(),
  standing: flag({ description: 'whether one of its entries is a draft or in the balances' }),
  accountingEntryId: nullable(text({ description: 'from the metadata' })),
  installationId: nullable(text({ description: 'from the metadata' })),
  postingDate: day({ description: 'the earliest of its entries' }),
  amountMinor: text({ description: 'sum of its debits, in minor units' }),
  currency: text(),
}) {}

export class ListedGroupsPage extends pageOf(ListedGroupDto) {}
