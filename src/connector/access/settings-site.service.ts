import type { FastifyRequest } from 'fastify';
import { cookieHeader, readCookie, type CookieScope } from '../../foundation/http/cookies.js';

/** The session cookie of our own pages, their addresses, and the origin of requests. */
export class SettingsSite {
  private readonly origin: string;
  private readonly cookie: CookieScope;

  /** @param publicUrl public address of this program */
  constructor(publicUrl: string) {
    const { origin, protocol } = new URL(publicUrl);
    const secure = protocol === 'https:';
    this.origin = origin;
    // The prefix stops other hosts of the domain from setting the cookie; over plain HTTP browsers refuse it.
    this.cookie = { name: `${secure ? '__Host-' : ''}connector_session`, path: '/', secure };
  }

  /** Name of the session cookie. */
  get cookieName(): string {
    return this.cookie.name;
  }

  /** Address of the settings page. */
  get settingsAddress(): string {
    return `${this.origin}/settings`;
  }

  /** Address that starts a new sign-in, also during a session. */
  get signInAddress(): string {
    return `${this.settingsAddress}/sign-in`;
  }

  /** @returns the session id of the request's cookie */
  sessionIdOf(request: FastifyRequest): string | undefined {
    return readCookie(request, this.cookie.name);
  }

  /** @returns a `set-cookie` header */
  setCookieHeader(sessionId: string): string {
    return cookieHeader(this.cookie, sessionId);
  }

  /** @returns a `set-cookie` header that deletes the cookie */
  clearCookieHeader(): string {
    return cookieHeader(this.cookie, '', 0);
  }

  /** Whether a page of another site made the browser send the request. Programs send no such headers. */
  isCrossSite({ headers }: FastifyRequest): boolean {
    const { origin, 'sec-fetch-site': site } = headers;
    if (site !== undefined) {
      return site !== 'same-origin' && site !== 'none';
    }
    // Our pages send no referrer, so browsers send "null" even for their own origin.
    return origin !== undefined && origin !== 'null' && origin !== this.origin;
  }
}
