// Which hosts are out on the internet: an address that a message brought along must not lead into our own network.
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IANA special-purpose registries: everything that is no global unicast address. */
const INNER_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/** The part in use on the internet; of it, what carries IPv4 addresses or is for documents only is left out again. */
const OUTER_IPV6 = ['2000::', 3] as const;
const INNER_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const inner = new BlockList();
const outer = new BlockList();
for (const [net, prefix] of INNER_IPV4) {
  inner.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of INNER_IPV6) {
  inner.addSubnet(net, prefix, 'ipv6');
}
outer.addSubnet(...OUTER_IPV6, 'ipv6');

/** @returns false for everything that is no IP address of the internet */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !inner.check(address, 'ipv4');
    case 6:
      return outer.check(address, 'ipv6') && !inner.check(address, 'ipv6');
    default:
      return false;
  }
}

/** A name was resolved to an address that is not on the internet. */
export class InnerHost extends Error {}

/**
 * As `dns.lookup`, but for a name that leads anywhere else: the address that was looked at is the one that is connected to,
 * so a name that changes in between wins nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  const all: LookupAllOptions = { ...options, all: true };
  lookup(hostname, all, (error, addresses) => {
    const [first] = (addresses as readonly LookupAddress[] | undefined) ?? [];
    if (error !== null || first === undefined) {
      callback(error ?? new Error(`no address of ${hostname}`), []);
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new InnerHost(`${hostname} is no host of the internet`), []);
    } else if (options.all === true) {
      callback(null, addresses);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
