import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { MessageResponse } from '../../messages/message.dto.js';

export class TestPostingRequestBody {
  @ApiProperty({ description: 'code or id of the account that is debited', minLength: 1, maxLength: 100 })
  @IsString()
  @Length(1, 100)
  readonly debit!: string;

  @ApiProperty({ description: 'code or id of the account that is credited', minLength: 1, maxLength: 100 })
  @IsString()
  @Length(1, 100)
  readonly credit!: string;
}

export class TestPostingResponse {
  @ApiProperty({ format: 'uuid', description: 'its reference in the accounting system' }) readonly id!: string;
  @ApiProperty({
    enum: ['sent', 'taken-back', 'draft', 'refused', 'left'],
    description:
      'sent: not finished, the connector goes on by itself · taken-back: posted and reversed · draft: a draft that stays · refused: nothing was posted · left: it stands, reverse it there',
  })
  readonly state!: string;
  @ApiProperty({ description: 'whether it proves that the accounting system takes postings' }) readonly works!: boolean;
  @ApiProperty({ type: MessageResponse }) readonly result!: MessageResponse;
  @ApiProperty({ type: String, nullable: true, description: 'number of the entry in the accounting system' })
  readonly documentNumber!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly documentUrl!: string | null;
  @ApiProperty() readonly erpCompanyId!: string;
  @ApiProperty() readonly debit!: string;
  @ApiProperty() readonly credit!: string;
  @ApiProperty() readonly requestedBy!: string;
  @ApiProperty({ format: 'date-time' }) readonly requestedAt!: Date;
}
