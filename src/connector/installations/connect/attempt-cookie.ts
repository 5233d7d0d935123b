import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { cookieHeader, readCookie, type CookieScope } from '../../../foundation/http/cookies.js';
import { PublicAddress } from '../public-address.js';

const SECONDS = 600;

/** Ties an authorization in progress to the browser it was begun in. */
@Injectable()
export class AttemptCookie {
  private readonly cookie: CookieScope;

  constructor({ isSecure }: PublicAddress) {
    // As with the session's cookie, the prefix keeps other hosts of the domain from planting theirs; it asks for the whole
    // host as the path.
    this.cookie = isSecure
      ? { name: '__Host-connector_connection', path: '/', secure: true }
      : { name: 'connector_connection', path: '/oauth', secure: false };
  }

  /** The secret the browser has; empty when it has none. */
  read(request: FastifyRequest): string {
    return readCookie(request, this.cookie.name) ?? '';
  }

  /** A `set-cookie` header. */
  setCookieHeader(browser: string): string {
    return cookieHeader(this.cookie, browser, SECONDS);
  }

  /** A `set-cookie` header. */
  clearCookieHeader(): string {
    return cookieHeader(this.cookie, '', 0);
  }
}
