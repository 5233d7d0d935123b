import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

export class BeancountQuery {
  @ApiPropertyOptional({ enum: ['transaction', 'functional'], default: 'transaction' })
  @IsIn(['transaction', 'functional'])
  readonly amounts: 'transaction' | 'functional' = 'transaction';
}
