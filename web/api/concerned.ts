/** Asks platform and accounting system: read again when an export begins or ends, not at each of its steps. */
const READINESS = '/api/v1/overview/readiness';
/** Which addresses an event concerns: those that begin so. */
const CONCERNED: Readonly<Record<string, readonly string[]>> = {
  job: [
    '/api/v1/jobs',
    '/api/v1/overview',
    '/api/v1/notifications',
    '/api/v1/entries',
    '/api/v1/in-doubt-postings',
    '/api/v1/month-ends',
    '/api/v1/mapping/suggestions',
    READINESS,
  ],
  progress: ['/api/v1/jobs', '/api/v1/overview'],
  issue: ['/api/v1/issues', '/api/v1/overview'],
  // Asked for by who resolves an issue, which saves a rule.
  reexport: ['/api/v1/issues', '/api/v1/reexports', '/api/v1/mapping'],
  sync: ['/api/v1/reference-data', '/api/v1/overview', READINESS],
  reconciliation: ['/api/v1/reconciliation', '/api/v1/overview', '/api/v1/in-doubt-postings', '/api/v1/month-ends'],
  discrepancies: ['/api/v1/discrepancies', '/api/v1/overview', '/api/v1/month-ends'],
  certificate: ['/api/v1/certificates', '/api/v1/overview'],
  alert: ['/api/v1/alerts'],
  connection: ['/api/v1/connection', '/api/v1/erp-connection', '/api/v1/setup', '/api/v1/overview', READINESS],
  reset: ['/api/v1/'],
  // No event reports these: another window may have changed them.
  return: ['/api/v1/month-ends', '/api/v1/members', '/api/v1/api-tokens', '/api/v1/sessions'],
};

/** The kinds of events that a page listens to. */
export const EVENT_KINDS = Object.keys(CONCERNED);

/** @returns whether what was read from the address may be another after events of these kinds */
export function isConcerned(kinds: ReadonlySet<string>, path: string): boolean {
  const prefixes = [...kinds].flatMap((kind) => CONCERNED[kind] ?? []);
  return path === READINESS ? prefixes.includes(READINESS) : prefixes.some((prefix) => path.startsWith(prefix));
}
