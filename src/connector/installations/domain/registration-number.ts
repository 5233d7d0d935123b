type RegistrationNumber = string | null | undefined;

/**
 * Whether a company of the platform and one of the ERP can be the same, by their registration numbers; blanks, punctuation
 * and the case of letters are ignored.
 * @returns unknown when one of them has no number
 */
export function compareRegistrationNumbers(
  platform: RegistrationNumber,
  erp: RegistrationNumber,
): 'same' | 'different' | 'unknown' {
  const [one, other] = [normalized(platform), normalized(erp)];
  if (one === '' || other === '') {
    return 'unknown';
  }
  return one === other ? 'same' : 'different';
}

function normalized(number: RegistrationNumber): string {
  return (number ?? '').replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}
