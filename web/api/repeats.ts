// A request without a response may have arrived all the same. Sent again just so it has the key of the first, and gets its response.

/** As long as a person tries again, and not so long that the same is meant to be done once more. */
const REPEAT_MS = 10 * 60_000;

interface Unanswered {
  readonly key: string;
  readonly at: number;
}
const unanswered = new Map<string, Unanswered>();
/** What was sent is no longer there to be read once it is known that nothing was answered. */
const copies = new WeakMap<Request, Request>();

/**
 * The Idempotency-Key of a request: that of the same request that got no response, else a new one.
 * @returns at once where nothing waits for an answer: who leaves the page waits for nothing
 */
export function repeatKey(request: Request, now: number = Date.now()): string | Promise<string> {
  copies.set(request, request.clone());
  return unanswered.size === 0 ? crypto.randomUUID() : knownKey(request.clone(), now);
}

async function knownKey(request: Request, now: number): Promise<string> {
  const known = unanswered.get(await digestOf(request));
  return known === undefined || now - known.at > REPEAT_MS ? crypto.randomUUID() : known.key;
}

/** @param key that it was sent with */
export async function rememberUnanswered(request: Request, key: string, now: number = Date.now()): Promise<void> {
  const copy = copies.get(request);
  if (copy !== undefined) {
    copies.delete(request);
    unanswered.set(await digestOf(copy), { key, at: now });
  }
}

/** @param key of a request that has a response now */
export function forgetAnswered(key: string): void {
  for (const [digest, known] of unanswered) {
    if (known.key === key) {
      unanswered.delete(digest);
    }
  }
}

/** Of what the API takes for one request: with another version of what is changed it is another one. */
async function digestOf(request: Request): Promise<string> {
  const { method, url, headers } = request;
  const head = JSON.stringify([method, url, headers.get('if-match'), headers.get('content-type')]);
  const sent = await new Blob([head, await request.arrayBuffer()]).arrayBuffer();
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', sent))).join();
}
