/** Of a minute's requests, those that come evenly; the others may be made at once after a rest. */
const EVEN_SHARE = 0.8;

/** Requests in a minute that can be kept up, of those that an ERP takes. */
export function sustainedPerMinute(requestsPerMinute: number): number {
  return requestsPerMinute * EVEN_SHARE;
}
