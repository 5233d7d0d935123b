import { ApiProperty } from '@nestjs/swagger';
import { MONEY_OR_NULL, type MoneyResponse } from '../http/money.dto.js';
import { PageResponse } from '../http/page.dto.js';

export class CertifiedTotalResponse {
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiProperty({ description: 'minor units', example: '12500' }) readonly debitMinor!: string;
  @ApiProperty({ description: 'minor units', example: '12500' }) readonly creditMinor!: string;
  @ApiProperty(MONEY_OR_NULL) readonly debit!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly credit!: MoneyResponse | null;
}

export class CertifiedSideResponse {
  @ApiProperty({ description: 'journal entries' }) readonly entries!: number;
  @ApiProperty({ type: [CertifiedTotalResponse], description: 'by currency' })
  readonly totals!: readonly CertifiedTotalResponse[];
  @ApiProperty({ description: 'SHA-256 in hex; docs/certificates.md says of what' }) readonly digest!: string;
}

export class CertifiedItemsResponse {
  @ApiProperty({ description: 'by the platform' }) readonly announced!: number;
  @ApiProperty() readonly successful!: number;
  @ApiProperty() readonly failed!: number;
  @ApiProperty({ description: 'without a result: the job ended before' }) readonly pending!: number;
}

export class CertificateResponse {
  @ApiProperty({ description: 'from 1, without gaps', example: '1' }) readonly sequence!: string;
  @ApiProperty({ format: 'uuid' }) readonly exportJobId!: string;
  @ApiProperty({ type: String, nullable: true }) readonly erpCompanyId!: string | null;
  @ApiProperty({ description: 'how the job ended' }) readonly jobState!: string;
  @ApiProperty({ type: Number, nullable: true }) readonly mappingVersion!: number | null;
  @ApiProperty({ type: CertifiedItemsResponse }) readonly items!: CertifiedItemsResponse;
  @ApiProperty({ type: CertifiedSideResponse, description: 'what the job was going to post' })
  readonly planned!: CertifiedSideResponse;
  @ApiProperty({
    type: CertifiedSideResponse,
    nullable: true,
    description: 'what the ERP held of it; null where it cannot be searched',
  })
  readonly erp!: CertifiedSideResponse | null;
  @ApiProperty({ description: 'open ones of the job when it was made' }) readonly discrepancies!: number;
  @ApiProperty({ format: 'date-time' }) readonly madeAt!: Date;
  @ApiProperty({ type: String, nullable: true, description: 'of the certificate before' })
  readonly previousHash!: string | null;
  @ApiProperty({ description: 'SHA-256 in hex over all of this and the hash before' })
  readonly hash!: string;
}

export class CertificatesResponse extends PageResponse {
  @ApiProperty({ type: [CertificateResponse], description: 'in the order of the chain' })
  readonly data!: readonly CertificateResponse[];
}
