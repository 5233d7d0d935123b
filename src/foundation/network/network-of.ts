import ipaddr from 'ipaddr.js';

const { IPv6 } = ipaddr;

/**
 * The addresses that one client controls: an IPv4 address, or the /64 of an IPv6 address, which each customer of a provider
 * gets at least (RFC 6177).
 * @param address as the server or a trusted proxy gives it; a text that is no IPv6 address is returned as it is
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!IPv6.isValid(plain)) {
    return address;
  }
  const parsed = IPv6.parse(plain);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : `${IPv6.networkAddressFromCIDR(`${plain}/64`).toString()}/64`;
}
