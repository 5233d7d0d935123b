const KINDS = {
  company: '0001',
  ledgerCompany: '0002',
  person: '0003',
  wallet: '0004',
  vendor: '0005',
  account: '0006',
  taxCode: '0007',
  tag: '0008',
  entry: '0009',
  line: '000a',
} as const;

/**
 * The identifier of a demo object, the same in every run, so that a second launch recognizes the objects of the first.
 *
 * @param number a whole number, different for each object of the kind.
 * @returns a UUID in lower case.
 */
export function demoId(kind: keyof typeof KINDS, number: number): string {
  return `5a170000-${KINDS[kind]}-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
