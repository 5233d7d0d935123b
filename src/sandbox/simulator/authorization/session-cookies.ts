import type { Provider } from 'oidc-provider';

/** The date with which a cookie is removed. */
const LIFETIME = /; expires=(?!Thu, 01 Jan 1970)[^;]+/i;

/**
 * Lets the cookies of the authorization server live as long as the browser. Their lifetimes are written in the computer's
 * time, but a browser counts them from the date of the answer, which is the simulator's: once that is an hour ahead, it would
 * take a cookie of an hour as over.
 */
export function keepCookiesForSession(provider: Provider): void {
  provider.use(async (context, next) => {
    await next();
    const { 'set-cookie': cookies } = context.response.headers;
    if (Array.isArray(cookies)) {
      context.set(
        'set-cookie',
        cookies.map((cookie) => cookie.replace(LIFETIME, '')),
      );
    }
  });
}
