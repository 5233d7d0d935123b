// What a parameter is where its name says it and the route adds nothing.

const BY_NAME: Readonly<Record<string, string>> = {
  accountingEntryId: 'of the entry on the platform',
  action: 'only those that were to be done',
  class: 'only discrepancies of this class',
  codeId: 'of the code, as it was given when the code was made',
  endpointToken: 'secret part of the address that was subscribed on the platform',
  exportJobId: 'of the export on the platform',
  format: 'of the file',
  from: 'number of the earlier version',
  jobId: 'of the export on the platform',
  kind: 'only those of this kind',
  letterId: 'of the message that could not be processed',
  limit: 'so many at most',
  month: 'such as 2026-11',
  outcome: 'only those that ended so',
  platformVendorId: 'of the vendor on the platform',
  state: 'only those in this state',
  subject: 'only rules for this',
  to: 'number of the later version',
  type: 'only those of this type',
};

/**
 * @param path of the route, parameters in braces
 * @returns a description in English
 */
export function parameterWords(
  path: string,
  { in: place, name }: { readonly in: string; readonly name: string },
): string {
  const list = place === 'path' ? path.slice(0, path.indexOf(`/{${name}}`)) : '';
  return BY_NAME[name] ?? `as ${list} lists it`;
}
