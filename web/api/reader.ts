import type { MeResponse } from './schema.js';

let reader: string | undefined;
let shownId = '';
let csrfToken = '';

/**
 * The session is the browser's: another tab may go on in another company, or as another person.
 * @returns whether the page was loaded for the caller; with the CSRF token of another one it would act for them on what it shows of the first
 */
export function isReader({ installationId, name, csrfToken: token }: MeResponse): boolean {
  const caller = `${installationId} ${name}`;
  reader ??= caller;
  if (reader === caller) {
    shownId = installationId;
    csrfToken = token ?? '';
  }
  return reader === caller;
}

/** Goes with every request for a file, which is refused once the browser is in another company. */
export const readersCompany = (): string => shownId;

/** @param path of a file of the company that the page shows */
export const fileLink = (path: string, query: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams({ ...query, installationId: shownId }).toString()}`;

/** Goes with every request that changes something. */
export const readersToken = (): string => csrfToken;
