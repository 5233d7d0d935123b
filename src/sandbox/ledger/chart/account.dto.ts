import { MAX_CODE_LENGTH, OneOf, OptionalFlag, OptionalText, Text } from '../http/field.js';
import { bodyOf, pageOf } from '../http/page.js';

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

export class AccountsDto extends bodyOf(AccountDto, (account) => account.code) {}

export class AccountPage extends pageOf(AccountDto) {}
