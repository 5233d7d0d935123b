// The library's own functions, which work in a program that has its plugin.
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';

export interface CookieScope {
  readonly name: string;
  readonly path: string;
  /** Only over https. */
  readonly secure: boolean;
  /** Not even sent with a link of another site; unset: with links, but not with what they load or post. */
  readonly isStrict?: boolean;
}

/** The value a browser sent; undefined when it sent none. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const cookies = fastifyCookie.parse(request.headers.cookie ?? '');
  return Object.hasOwn(cookies, name) ? cookies[name] : undefined;
}

/**
 * A `set-cookie` header. No script reads the cookie, and no other site's form or frame sends it.
 * @param seconds of its life; undefined: until the browser is closed; 0: remove it
 */
export function cookieHeader(
  { name, path, secure, isStrict = false }: CookieScope,
  value: string,
  seconds?: number,
): string {
  return fastifyCookie.serialize(name, value, {
    path,
    secure,
    httpOnly: true,
    sameSite: isStrict ? 'strict' : 'lax',
    ...(seconds === undefined ? {} : { maxAge: seconds }),
  });
}
