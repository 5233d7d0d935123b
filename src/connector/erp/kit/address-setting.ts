// Addresses of ERPs as people enter them, which write one address in several ways.
import { textSetting, type ErpSettings } from './define-erp.js';

/**
 * An address of the ERP that the schema admits as a text of the format `uri`, as `ErpHttpOptions.baseUrl` and `systemOf` want it.
 * @returns the empty text when it was left out
 */
export function addressSetting(settings: ErpSettings, name: string): string {
  return canonicalAddress(textSetting(settings, name));
}

/**
 * The same text for every way to write an address: scheme and host in lower case, without the scheme's own port, without a
 * slash at the end.
 * @returns what is no address, as it is
 */
export function canonicalAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
