import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, ValidateNested } from 'class-validator';
import { MAX_CODE_LENGTH, OneOf, OptionalFlag, OptionalText, Text } from '../http/field.js';
import { pageOf } from '../http/page.js';

export class AccountDto {
  @Text(MAX_CODE_LENGTH)
  readonly code!: string;

  /** The account's own identifier; the code when absent. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly externalId?: string | null;

  @Text()
  readonly name!: string;

  @OneOf(['asset', 'liability', 'equity', 'income', 'expense'])
  readonly type!: 'asset' | 'liability' | 'equity' | 'income' | 'expense';

  @OptionalFlag(true)
  readonly active: boolean = true;
}

export class AccountsDto {
  @ApiProperty({ type: [AccountDto], maxItems: 1_000 })
  @IsArray()
  @ArrayMaxSize(1_000)
  @ArrayUnique((account: AccountDto) => account.code)
  @ValidateNested({ each: true })
  @Type(() => AccountDto)
  readonly data!: readonly AccountDto[];
}

export class AccountPage extends pageOf(AccountDto) {}
