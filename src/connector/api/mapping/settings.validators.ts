import { ValidateBy } from 'class-validator';
import { parseCurrency } from '../../../kernel/currency.js';

const MAX_ACCOUNT_LENGTH = 255;
const ITEM_TYPE = /^[a-z][a-z_]{0,60}$/;

/** An object of ISO 4217 codes to accounts. */
export function IsAccountByCurrency(): PropertyDecorator {
  return accountMap('isAccountByCurrency', (key) => parseCurrency(key) !== undefined, 'an ISO 4217 currency');
}

/** An object of the platform's item types to accounts. */
export function IsAccountByItemType(): PropertyDecorator {
  return accountMap('isAccountByItemType', (key) => ITEM_TYPE.test(key), 'an item type');
}

function accountMap(name: string, isKey: (key: string) => boolean, what: string): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) =>
        value !== null &&
        typeof value === 'object' &&
        Object.entries(value).every(([key, account]) => isKey(key) && isAccount(account)),
      defaultMessage: () => `each key must be ${what} and each value the external id or code of an account`,
    },
  });
}

function isAccount(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ACCOUNT_LENGTH;
}
