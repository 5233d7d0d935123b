import type { FastifyRequest } from 'fastify';
import { cookieHeader, readCookie, type CookieScope } from '../../foundation/http/cookies.js';

/** What passes between a person's browser and our own pages: the session's cookie, and where a request was made. */
export class SettingsSite {
  private readonly origin: string;
  private readonly cookie: CookieScope;

  /** @param publicUrl under which people reach us */
  constructor(publicUrl: string) {
    const { origin, protocol } = new URL(publicUrl);
    const secure = protocol === 'https:';
    this.origin = origin;
    // The prefix keeps other hosts of the domain from planting one; over plain http browsers refuse it.
    this.cookie = { name: `${secure ? '__Host-' : ''}connector_session`, path: '/', secure };
  }

  /** Where people see and set what concerns their company. */
  get settingsAddress(): string {
    return `${this.origin}/settings`;
  }

  /** Where a person signs in anew, also while a session is there. */
  get signInAddress(): string {
    return `${this.settingsAddress}/sign-in`;
  }

  /** Id of the session the browser has a cookie of. */
  sessionIdOf(request: FastifyRequest): string | undefined {
    return readCookie(request, this.cookie.name);
  }

  /** A `set-cookie` header. */
  setCookieHeader(sessionId: string): string {
    return cookieHeader(this.cookie, sessionId);
  }

  /** A `set-cookie` header. */
  clearCookieHeader(): string {
    return cookieHeader(this.cookie, '', 0);
  }

  /** Whether a page of another site made the browser send this. Browsers say so; programs say nothing. */
  isCrossSite({ headers }: FastifyRequest): boolean {
    const { origin, 'sec-fetch-site': site } = headers;
    if (site !== undefined) {
      return site !== 'same-origin' && site !== 'none';
    }
    // Our pages send no referrer, and then browsers call even their own origin "null".
    return origin !== undefined && origin !== 'null' && origin !== this.origin;
  }
}
