import { z } from 'zod';
import type { HttpClient } from '../../foundation/http/client/http-client.js';
import type { Clock } from '../../kernel/clock.js';

/** A server that begins to announce something is believed within an hour. */
const MAX_AGE_MS = 60 * 60 * 1_000;
const PATH = '/.well-known/oauth-authorization-server';

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** What the platform's authorization server publishes about itself (RFC 8414), where it does. Addresses stay those of the configuration. */
export class ServerMetadata {
  private known: { readonly announcesIssuer: boolean; readonly readAtMs: number } | undefined;

  constructor(
    private readonly http: HttpClient,
    private readonly issuer: string,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether every authorization response names its issuer (RFC 9207 §3). A server without metadata, or with those of another
   * issuer, announces nothing.
   * @throws NoResponse while the server does not respond: an attacker who blocks the request must not disable the check
   */
  async announcesIssuer(): Promise<boolean> {
    const now = this.clock.monotonicMs();
    if (this.known === undefined || now - this.known.readAtMs >= MAX_AGE_MS) {
      this.known = { announcesIssuer: await this.read(), readAtMs: now };
    }
    return this.known.announcesIssuer;
  }

  private async read(): Promise<boolean> {
    const { status, text } = await this.http.send({
      method: 'GET',
      path: PATH,
      headers: { accept: 'application/json' },
    });
    const metadata = status === 200 ? metadataSchema.safeParse(jsonOf(text)) : undefined;
    return (
      metadata?.success === true &&
      metadata.data.issuer === this.issuer &&
      metadata.data.authorization_response_iss_parameter_supported === true
    );
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
