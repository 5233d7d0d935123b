import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { NumberInDigits } from '../../../foundation/http/number-in-digits.js';
import { SUBJECTS } from '../../mapping/domain/rule-fields.js';

export class SuggestionsQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 50, description: 'the most frequent ones' })
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;
}

export class ProposalResponse {
  @ApiProperty({ type: String, nullable: true, description: 'of a tag' }) readonly targetGroup!: string | null;
  @ApiProperty({ example: '6071' }) readonly target!: string;
  @ApiProperty({
    enum: ['used-before', 'same-code', 'same-name', 'most-used'],
    description: 'used-before: a rule of this key sent or sends there; most-used: most rules of this kind do',
  })
  readonly because!: string;
}

export class SuggestionResponse {
  @ApiProperty({ enum: SUBJECTS }) readonly subject!: string;
  @ApiProperty({ type: String, nullable: true, description: 'of a tag' }) readonly sourceGroup!: string | null;
  @ApiProperty({ description: 'ready for a rule', example: '06071' }) readonly source!: string;
  @ApiProperty({ type: String, nullable: true, example: 'Meals' }) readonly name!: string | null;
  @ApiProperty({ description: 'failed entries that name it', example: 500 }) readonly items!: number;
  @ApiProperty({ format: 'date-time' }) readonly lastSeen!: Date;
  @ApiProperty({ type: [ProposalResponse], description: 'the best first' })
  readonly proposals!: readonly ProposalResponse[];
}

export class SuggestionsResponse {
  @ApiProperty({ type: [SuggestionResponse] }) readonly data!: readonly SuggestionResponse[];
  @ApiProperty({ description: 'whether there are more than `limit`' }) readonly more!: boolean;
}
