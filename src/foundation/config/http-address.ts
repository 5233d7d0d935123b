import { z } from 'zod';

/**
 * An http or https address of the configuration. Without user and password: addresses are logged and shown, and no request is
 * sent with them.
 */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'needs an http or https address' })
  .refine(isWithoutCredentials, 'needs an address without user and password: it is logged and shown');

/** @returns true also for a text that is no address */
function isWithoutCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}
