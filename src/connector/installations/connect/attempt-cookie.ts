import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { cookieHeader, readCookie, type CookieScope } from '../../../foundation/http/cookies.js';
import { PublicAddress } from '../public-address.js';

const MAX_AGE_SECONDS = 600;

/** Ties an authorization under way to the browser that started it (S20). */
@Injectable()
export class AttemptCookie {
  private readonly cookie: CookieScope;

  constructor({ isSecure }: PublicAddress) {
    // As with the session cookie, the prefix stops other hosts of the domain from setting it; it requires the path `/`.
    this.cookie = isSecure
      ? { name: '__Host-connector_connection', path: '/', secure: true }
      : { name: 'connector_connection', path: '/oauth', secure: false };
  }

  /** @returns the browser's secret; empty without a cookie */
  read(request: FastifyRequest): string {
    return readCookie(request, this.cookie.name) ?? '';
  }

  /** @returns a `set-cookie` header; the browser keeps the secret for ten minutes */
  setCookieHeader(browser: string): string {
    return cookieHeader(this.cookie, browser, MAX_AGE_SECONDS);
  }

  /** @returns a `set-cookie` header that deletes the cookie */
  clearCookieHeader(): string {
    return cookieHeader(this.cookie, '', 0);
  }
}
