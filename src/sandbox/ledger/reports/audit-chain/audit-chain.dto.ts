import { ApiProperty } from '@nestjs/swagger';

const REASONS = ['link-missing', 'entry-missing', 'hash-differs', 'number-missing'] as const;

/** What of the chain was changed first. Everything before it is as it was posted. */
export class ChainBreakDto {
  @ApiProperty({ type: Number, nullable: true, description: 'place in the chain, from 1' })
  readonly position!: number | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  readonly entryId!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '2026-000017' })
  readonly number!: string | null;

  @ApiProperty({
    enum: REASONS,
    description:
      'link-missing: a posted entry is not in the chain; entry-missing: an entry of the chain, its group or its lines are not in the books; hash-differs: the entry or its link was changed; number-missing: a number was given and no entry has it',
  })
  readonly reason!: (typeof REASONS)[number];
}

export class ChainHeadDto {
  @ApiProperty({ type: Number })
  readonly position!: number;

  @ApiProperty({ type: String, description: 'SHA-256 in hexadecimal' })
  readonly hash!: string;
}

export class AuditChainDto {
  @ApiProperty({ type: Number, description: 'posted entries found as they were posted' })
  readonly entries!: number;

  @ApiProperty({ type: Boolean })
  readonly intact!: boolean;

  @ApiProperty({ type: ChainBreakDto, nullable: true })
  readonly firstBroken!: ChainBreakDto | null;

  /** The last link as it is stored. Kept elsewhere, it proves later that the chain was not written anew. */
  @ApiProperty({ type: ChainHeadDto, nullable: true })
  readonly head!: ChainHeadDto | null;
}
