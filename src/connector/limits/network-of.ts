import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+(?:\.\d+){3})$/i;
const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/**
 * What one stranger has of the addresses there are: of IPv4 the address, of IPv6 the /64 that each customer of a provider
 * gets at least (RFC 6177), within which an address is theirs to choose.
 * @param address as the server or a trusted proxy says it; what is no address stays as it is
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  const mapped = MAPPED.exec(plain)?.[1];
  if (mapped !== undefined || !isIPv6(plain)) {
    return mapped ?? address;
  }
  // A URL writes an address in one way only: lower case, no leading zeros, no dots.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}
