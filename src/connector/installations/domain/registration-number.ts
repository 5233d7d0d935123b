type RegistrationNumber = string | null | undefined;

/**
 * Whether a company of the platform and one of the ERP can be the same, by their registration numbers; blanks, punctuation
 * and the case of letters say nothing.
 * @returns unknown when one of them has no number
 */
export function compareNumbers(
  platform: RegistrationNumber,
  erp: RegistrationNumber,
): 'same' | 'different' | 'unknown' {
  const [one, other] = [bare(platform), bare(erp)];
  if (one === '' || other === '') {
    return 'unknown';
  }
  return one === other ? 'same' : 'different';
}

function bare(number: RegistrationNumber): string {
  return (number ?? '').replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}
