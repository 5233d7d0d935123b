import { input } from '../../../foundation/http/input.js';
import { shape } from '../../../foundation/http/shape.js';
import { bodyOf, pageOf } from '../http/page.js';
import { code, optionalCode, optionalFlag, text } from '../http/field.js';

export class AccountDto extends shape({
  code: code(),
  /** The account's own identifier; the code when absent. */
  externalId: optionalCode(),
  name: text(),
  type: input.oneOf(['asset', 'liability', 'equity', 'income', 'expense']),
  active: optionalFlag(true),
}) {}

export class AccountsDto extends bodyOf(AccountDto, (account) => account.code) {}

export class AccountPage extends pageOf(AccountDto) {}
