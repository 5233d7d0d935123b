import { ApiProperty } from '@nestjs/swagger';
import { PageResponse } from '../http/page.dto.js';

export class ErpBatchResponse {
  @ApiProperty({ minimum: 1, description: 'without gaps' })
  readonly number!: number;
  @ApiProperty()
  readonly fileName!: string;
  @ApiProperty({ description: 'accounting entries in it' })
  readonly entries!: number;
  @ApiProperty({ minimum: 0, description: 'receipts behind them, given out beside the file' })
  readonly receipts!: number;
  @ApiProperty({ description: 'SHA-256 of the file in hex: the same at each download' })
  readonly sha256!: string;
  @ApiProperty({ format: 'date-time', type: String })
  readonly closedAt!: string;
}

export class ErpBatchPage extends PageResponse {
  @ApiProperty({ type: [ErpBatchResponse] })
  readonly data!: readonly ErpBatchResponse[];
}

export class ClosedErpBatchesResponse {
  @ApiProperty({ type: [ErpBatchResponse], description: 'oldest first; empty when no entry was waiting' })
  readonly data!: readonly ErpBatchResponse[];
}
