import type { FastifyRequest } from 'fastify';

const known = new WeakSet<FastifyRequest>();

/** The credentials of the request were looked up and are valid, whatever role they have. */
export function markCallerKnown(request: FastifyRequest): void {
  known.add(request);
}

/** @returns false for credentials that are wrong, and for those that were not looked up */
export function isCallerKnown(request: FastifyRequest): boolean {
  return known.has(request);
}

/** A body may come half a minute after it was looked up whose it is, and rights that are taken away end within seconds (S9). */
const MAX_AGE_MS = 1_000;

/** What is looked up for a request: once, unless the request has waited since. */
export class LookedUp<T> {
  private readonly known = new WeakMap<FastifyRequest, { found: Promise<T>; endedAtMs?: number }>();

  /** @param look up, for the first time or anew */
  async find(request: FastifyRequest, look: () => Promise<T>): Promise<T> {
    const before = this.known.get(request);
    // How long the look-up itself takes does not count: a busy database would be asked everything twice.
    if (before !== undefined && performance.now() - (before.endedAtMs ?? Infinity) <= MAX_AGE_MS) {
      return before.found;
    }
    const current: { found: Promise<T>; endedAtMs?: number } = { found: look() };
    this.known.set(request, current);
    try {
      return await current.found;
    } finally {
      current.endedAtMs = performance.now();
    }
  }
}
