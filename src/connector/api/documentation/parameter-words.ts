// What a parameter is where its name says it, whatever the route.

const BY_NAME: Readonly<Record<string, string>> = {
  accountingEntryId: 'id of the entry on the platform',
  action: 'only records of this action',
  class: 'only discrepancies of this class',
  codeId: 'id of the code, given when it was made',
  endpointToken: 'secret part of the address that was subscribed on the platform',
  exportJobId: 'id of the export on the platform',
  format: 'type of the file',
  from: 'number of the earlier version',
  jobId: 'id of the export on the platform',
  kind: 'only those of this kind',
  letterId: 'id of the message that could not be processed',
  limit: 'so many at most',
  month: 'the month, such as 2026-11',
  outcome: 'only records with this outcome',
  platformVendorId: 'id of the vendor on the platform',
  state: 'only those in this state',
  subject: 'only rules for this',
  to: 'number of the later version',
  type: 'only those of this type',
};

/**
 * @param path of the route, parameters in braces
 * @returns a description in English; undefined where the name does not say enough
 */
export function parameterWords(
  path: string,
  { in: place, name }: { readonly in: string; readonly name: string },
): string | undefined {
  const ofPath = place === 'path' ? `names one of ${path.slice(0, path.indexOf(`/{${name}}`))}` : undefined;
  return BY_NAME[name] ?? ofPath;
}
