import { ApiProperty } from '@nestjs/swagger';
import { DriftResponse } from './drift.dto.js';

export class SetupStepResponse {
  @ApiProperty({ description: 'stable name', example: 'out-of-pocket' }) readonly check!: string;
  @ApiProperty({ enum: ['done', 'open', 'not-known'], description: 'not-known: cannot be checked yet' })
  readonly state!: string;
  @ApiProperty({
    enum: ['everything', 'item-types', 'nothing'],
    description: 'what cannot be exported while it is open',
  })
  readonly blocks!: string;
  @ApiProperty({
    type: [String],
    description: 'with `item-types`: which ones',
    example: ['mileage', 'per_diem'],
  })
  readonly itemTypes!: readonly string[];
  @ApiProperty({
    description: 'the finding, and what to do about it',
    example: 'No account is set for "Out-of-pocket": what is owed to or by employees is booked there.',
  })
  readonly detail!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the route that resolves it; null where it is done, or resolved in the ERP',
    example: 'PUT /api/v1/settings',
  })
  readonly resolvedBy!: string | null;
}

export class SetupResponse {
  @ApiProperty({ description: 'false while a step that blocks everything is open' }) readonly ready!: boolean;
  @ApiProperty({ type: [SetupStepResponse], description: 'in the recommended order' })
  readonly steps!: readonly SetupStepResponse[];
  @ApiProperty({
    type: DriftResponse,
    description: 'what changed in the ERP since it was mapped; at most 50, all of it under /drift',
  })
  readonly drift!: DriftResponse;
}
