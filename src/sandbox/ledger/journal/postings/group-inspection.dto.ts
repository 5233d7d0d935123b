import { field, shape, shapeWith } from '../../../../foundation/http/shape.js';
import { PageQuery, pageOf } from '../../http/page.js';
import type { EntryState } from '../domain/posting-outcome.js';
import { LineTaxDto } from '../journal-entry.dto.js';
import { day } from '../../http/field.js';

export class InspectedLineDto extends shape({
  accountCode: field.text(),
  amountMinor: field.text('minor units of the entry’s currency, debit positive'),
  taxCode: field.text().nullable(),
  tax: field.one(LineTaxDto).nullable(),
  vendorNumber: field.text().nullable(),
  dimensions: field.object<Readonly<Record<string, string>>>('dimension code → value code'),
}) {}

export class InspectedEntryDto extends shape({
  id: field.uuid(),
  role: field.text(),
  part: field.number('among the entries of its role, from 1'),
  state: field.oneOf<EntryState>(['draft', 'posted', 'reversed', 'discarded']),
  postingDate: field.day(),
  currency: field.text(),
  settlementOpen: field
    .flag(
      'whether the entry and the item that it was posted to settle are both open; null when it is not posted or has no settlement intent',
    )
    .nullable(),
  lines: field.many(InspectedLineDto),
}) {}

export class InspectedGroupDto extends shape({
  key: field.text(),
  revision: field.number(),
  contentDigest: field.text(),
  entries: field.many(InspectedEntryDto),
}) {}

export class InspectedGroupsDto extends shape({
  data: field.many(InspectedGroupDto, 'every revision under the keys, oldest first'),
}) {}

export class ListedGroupsQuery extends shapeWith(PageQuery, {
  /** First posting date wanted. */
  from: day(),
  /** Last posting date wanted, included. */
  to: day(),
}) {}

export class ListedGroupDto extends shape({
  id: field.uuid(),
  key: field.text(),
  revision: field.number(),
  standing: field.flag('whether one of its entries is a draft or in the balances'),
  accountingEntryId: field.text('from the metadata').nullable(),
  installationId: field.text('from the metadata').nullable(),
  postingDate: field.day('the earliest of its entries'),
  amountMinor: field.text('sum of its debits, in minor units'),
  currency: field.text(),
}) {}

export class ListedGroupsPage extends pageOf(ListedGroupDto) {}
