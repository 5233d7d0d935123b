// Which hosts are out on the internet: an address that somebody else made up must not lead into our own network.
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { resolverOf, type ResolveName } from './resolve-name.js';

/** IANA special-purpose registries: everything that is no global unicast address. */
const PRIVATE_IPV4 = [
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
const PUBLIC_IPV6 = ['2000::', 3] as const;
const PRIVATE_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const privateNetworks = new BlockList();
const publicNetworks = new BlockList();
for (const [net, prefix] of PRIVATE_IPV4) {
  privateNetworks.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of PRIVATE_IPV6) {
  privateNetworks.addSubnet(net, prefix, 'ipv6');
}
publicNetworks.addSubnet(...PUBLIC_IPV6, 'ipv6');

/** @returns false for everything that is no IP address of the internet */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateNetworks.check(address, 'ipv4');
    case 6:
      return publicNetworks.check(address, 'ipv6') && !privateNetworks.check(address, 'ipv6');
    default:
      return false;
  }
}

/** A name was resolved to an address that is not on the internet. */
export class PrivateHost extends Error {}

/**
 * As `dns.lookup`, but for a name that leads anywhere else: the address that was looked at is the one that is connected to,
 * so a name that changes in between wins nothing. It is not asked about a host that is an IP address already.
 */
export function publicLookupBy(resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = (addresses as readonly LookupAddress[] | undefined) ?? [];
      if (error !== null || first === undefined) {
        callback(error ?? new Error(`no address of ${hostname}`), []);
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new PrivateHost(`${hostname} is no host of the internet`), []);
      } else if (options.all === true) {
        callback(null, [...addresses]);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

const resolveName = resolverOf();

export const publicLookup: LookupFunction = publicLookupBy(resolveName);

/**
 * Whether a connection to the address's host may be made at all, apart from what its name resolves to, which
 * `publicLookup` decides when the connection is made.
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostOf(hostname);
  return isIP(host) === 0 ? !isPrivateName(host) : isPublicAddress(host);
}

const MAX_ADDRESS_LENGTH = 2_048;
/** Printable ASCII, but for the backslash, which some read as a slash and others as part of a name. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Ends of names that only an inner network resolves, or nobody (RFC 6761, RFC 6762, RFC 8375, clouds' metadata). */
const PRIVATE_NAME =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|arpa|onion|test|invalid|localdomain)$/;
const LOWEST_FREE_PORT = 1_024;

export interface AddressRules {
  /** False: http and this machine itself may be named too, for trying things out. */
  readonly production: boolean;
  readonly resolve?: ResolveName;
}

/**
 * Looks at an address that a person wants us to call, when it is saved (D3.15, S34). Whoever
 * calls it later connects with `publicLookup` all the same: names change.
 * @returns what is wrong with it, to be shown to that person; undefined when nothing is
 */
export async function checkPublicAddress(address: string, rules: AddressRules): Promise<string | undefined> {
  if (address.length > MAX_ADDRESS_LENGTH || !PLAIN.test(address) || !URL.canParse(address)) {
    return `needs to be an address of at most ${MAX_ADDRESS_LENGTH.toString()} plain characters`;
  }
  const url = new URL(address);
  const problem = formProblem(url, rules.production);
  if (problem !== undefined || (!rules.production && isThisMachine(url))) {
    return problem;
  }
  if (!isPublicHost(url)) {
    return 'needs a host of the internet';
  }
  const host = hostOf(url.hostname);
  return isIP(host) === 0 ? nameProblem(host, rules.resolve ?? resolveName) : undefined;
}

function formProblem(url: URL, production: boolean): string | undefined {
  if (url.protocol !== 'https:' && (production || url.protocol !== 'http:')) {
    return 'needs to begin with https://';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user or a password';
  }
  // Mail, remote shells and the like answer on the ports below; what speaks HTTP there has its usual one.
  return url.port !== '' && url.port !== '80' && Number(url.port) < LOWEST_FREE_PORT
    ? `needs the usual port, or one from ${LOWEST_FREE_PORT.toString()} on`
    : undefined;
}

function nameProblem(host: string, resolve: ResolveName): Promise<string | undefined> {
  return new Promise((settle) => {
    publicLookupBy(resolve)(host, { all: true }, (error) => {
      if (error instanceof PrivateHost) {
        settle('needs a host of the internet');
      } else {
        settle(error === null ? undefined : 'needs a host whose name can be resolved');
      }
    });
  });
}

/** Names of one label are those of an inner network, whatever they are. */
function isPrivateName(host: string): boolean {
  return !host.includes('.') || PRIVATE_NAME.test(host);
}

function isThisMachine({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(hostOf(hostname));
}

/** Without the brackets of IPv6 and the dot that closes a name. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
