import { expect, it } from '@jest/globals';
import { compareRegistrationNumbers } from './registration-number.js';

it.each([
  ['16904217', '16904217', 'same'],
  [' 556677-8899 ', '5566778899', 'same'],
  ['hrb 123 b', 'HRB123B', 'same'],
  ['16904217', '16904218', 'different'],
  ['16904217', 'EE16904217', 'different'],
  ['Ä1', 'A1', 'different'],
  ['16904217', undefined, 'unknown'],
  [null, '16904217', 'unknown'],
  ['', '', 'unknown'],
  [' - ', '16904217', 'unknown'],
] as const)('%j on the platform and %j in the ERP: %s', (platform, erp, compared) => {
  expect(compareRegistrationNumbers(platform, erp)).toBe(compared);
});
