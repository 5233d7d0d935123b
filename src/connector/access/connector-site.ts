import type { FastifyRequest } from 'fastify';
import { cookieHeader, readCookie, type CookieScope } from '../../foundation/http/cookies.js';

/**
 * Path of the page for people, with a query: nothing that leads to another host, and no segment for which a browser goes up, in any
 * spelling, so that it stays below the page.
 */
export const APP_ADDRESS = /^\/app(?![^?]*\/(?:\.|%2[eE]){1,2}(?:[/?]|$))(\/[\w\-.~:/%]*)?(\?[\w\-.~:/%=&+]*)?$/;
const RETURN_SECONDS = 600;

/** The session cookie of our own pages, their addresses, and the origin of requests. */
export class ConnectorSite {
  private readonly origin: string;
  private readonly cookie: CookieScope;
  private readonly returnCookie: CookieScope;
  private readonly operatorCookie: CookieScope;

  /** @param publicUrl public address of this program */
  constructor(publicUrl: string) {
    const { origin, protocol } = new URL(publicUrl);
    const secure = protocol === 'https:';
    this.origin = origin;
    // The prefix stops other hosts of the domain from setting the cookie; over plain HTTP browsers refuse it.
    this.cookie = { name: `${secure ? '__Host-' : ''}connector_session`, path: '/', secure };
    this.operatorCookie = { ...this.cookie, name: `${secure ? '__Host-' : ''}connector_operator`, isStrict: true };
    this.returnCookie = { ...this.cookie, name: `${secure ? '__Host-' : ''}connector_return` };
  }

  /** Name of the session cookie. */
  get cookieName(): string {
    return this.cookie.name;
  }

  /** @param path of the page for people, below its root: '/issues', or empty for its first */
  pageAddress(path: string): string {
    return `${this.origin}/app${path}`;
  }

  /** Address that starts a new sign-in, also during a session. */
  get signInAddress(): string {
    return `${this.origin}/app/sign-in?again=true`;
  }

  /** @returns the session id of the request's cookie */
  sessionIdOf(request: FastifyRequest): string | undefined {
    return readCookie(request, this.cookie.name);
  }

  /** @returns a `set-cookie` header */
  setCookieHeader(sessionId: string): string {
    return cookieHeader(this.cookie, sessionId);
  }

  /** @returns the id of an operator's session in the request's cookie; undefined for a request of another site's page */
  operatorSessionIdOf(request: FastifyRequest): string | undefined {
    return this.isCrossSite(request) ? undefined : readCookie(request, this.operatorCookie.name);
  }

  /** @param seconds of its life; 0: delete it. @returns a `set-cookie` header of an operator's session */
  operatorCookieHeader(sessionId: string, seconds: number): string {
    return cookieHeader(this.operatorCookie, sessionId, seconds);
  }

  /** @returns a `set-cookie` header that deletes the cookie */
  clearCookieHeader(): string {
    return cookieHeader(this.cookie, '', 0);
  }

  /** @returns a `set-cookie` header that remembers where the sign-in that begins now was begun */
  returnCookieHeader(path: string): string {
    return cookieHeader(this.returnCookie, path, RETURN_SECONDS);
  }

  /** Where to go after a sign-in, and the `set-cookie` headers that forget it. */
  returnFrom(request: FastifyRequest): { readonly path: string; readonly cookies: readonly string[] } {
    const path = readCookie(request, this.returnCookie.name);
    return {
      path: path !== undefined && APP_ADDRESS.test(path) ? path : '/app',
      cookies: path === undefined ? [] : [cookieHeader(this.returnCookie, '', 0)],
    };
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
