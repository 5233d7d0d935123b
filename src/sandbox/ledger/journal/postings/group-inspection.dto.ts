import { ApiProperty } from '@nestjs/swagger';
import { Day } from '../../http/field.js';
import { PageQuery, pageOf } from '../../http/page.js';
import type { EntryState } from '../domain/posting-outcome.js';

export class InspectedLineDto {
  @ApiProperty({ type: String }) readonly accountCode!: string;
  @ApiProperty({ type: String, description: 'minor units of the entry’s currency, debit positive' })
  readonly amountMinor!: string;
  @ApiProperty({ type: String, nullable: true }) readonly taxCode!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly vendorNumber!: string | null;
  @ApiProperty({ type: Object, description: 'dimension code → value code' })
  readonly dimensions!: Readonly<Record<string, string>>;
}

export class InspectedEntryDto {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly role!: string;
  @ApiProperty({ enum: ['draft', 'posted', 'reversed', 'discarded'] }) readonly state!: EntryState;
  @ApiProperty({ type: String, format: 'date' }) readonly postingDate!: string;
  @ApiProperty({ type: String }) readonly currency!: string;
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description:
      'whether the entry and the item that it was posted to settle are both open; null when it is not posted or has no settlement intent',
  })
  readonly settlementOpen!: boolean | null;
  @ApiProperty({ type: [InspectedLineDto] }) readonly lines!: readonly InspectedLineDto[];
}

export class InspectedGroupDto {
  @ApiProperty({ type: String }) readonly key!: string;
  @ApiProperty({ type: Number }) readonly revision!: number;
  @ApiProperty({ type: String }) readonly contentDigest!: string;
  @ApiProperty({ type: [InspectedEntryDto] }) readonly entries!: readonly InspectedEntryDto[];
}

export class InspectedGroupsDto {
  @ApiProperty({ type: [InspectedGroupDto], description: 'every revision under the keys, oldest first' })
  readonly data!: readonly InspectedGroupDto[];
}

export class ListedGroupsQuery extends PageQuery {
  /** First posting date wanted. */
  @Day()
  readonly from!: string;

  /** Last posting date wanted, included. */
  @Day()
  readonly to!: string;
}

export class ListedGroupDto {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly key!: string;
  @ApiProperty({ type: Number }) readonly revision!: number;
  @ApiProperty({ type: Boolean, description: 'whether one of its entries is a draft or in the balances' })
  readonly standing!: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'from the metadata' })
  readonly accountingEntryId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'from the metadata' })
  readonly installationId!: string | null;
  @ApiProperty({ type: String, format: 'date', description: 'the earliest of its entries' })
  readonly postingDate!: string;
  @ApiProperty({ type: String, description: 'sum of its debits, in minor units' })
  readonly amountMinor!: string;
  @ApiProperty({ type: String }) readonly currency!: string;
}

export class ListedGroupsPage extends pageOf(ListedGroupDto) {}
