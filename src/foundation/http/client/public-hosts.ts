// Which hosts are on the internet: an address from outside must not lead into an internal network.
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { resolverOf, type ResolveName } from './resolve-name.js';

/** The part of IPv6 in use on the internet; the library calls unassigned parts unicast, too. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is global unicast by the special-purpose registries of IANA.
 * @returns false for everything that is no IP address of the internet, also for a text that is no address
 */
export function isPublicAddress(text: string): boolean {
  // Stricter than the library, which also reads octal and shortened forms.
  if (isIP(text) === 0) {
    return false;
  }
  const address = ipaddr.parse(text);
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
  return isGlobal && address.range() === 'unicast';
}

/** A name was resolved to an address that is not on the internet. */
export class PrivateHost extends Error {}

/**
 * As `dns.lookup`, but fails for a name that leads to another network. The checked address is the one that is connected to,
 * so a name that changes in between gains nothing. It is not called for a host that is an IP address already.
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
/** Ends of names that at most an internal network resolves (RFC 6761, RFC 6762, RFC 8375, clouds' metadata). */
const PRIVATE_NAME =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|arpa|onion|test|invalid|localdomain)$/;
const LOWEST_FREE_PORT = 1_024;

export interface AddressRules {
  /** False: http and this machine itself are allowed too, for development. */
  readonly production: boolean;
  readonly resolve?: ResolveName;
}

/** What is wrong with an address. */
export type AddressProblem =
  'no-address' | 'not-https' | 'not-public' | 'unknown-host' | 'unusual-port' | 'with-password';

/**
 * Checks an address that a person sets, when it is saved (D3.15, S34). Calls to it connect with `publicLookup` nevertheless:
 * names change.
 * @returns undefined when nothing is wrong
 */
export async function checkPublicAddress(address: string, rules: AddressRules): Promise<AddressProblem | undefined> {
  if (address.length > MAX_ADDRESS_LENGTH || !PLAIN.test(address) || !URL.canParse(address)) {
    return 'no-address';
  }
  const url = new URL(address);
  const problem = formProblem(url, rules.production);
  if (problem !== undefined || (!rules.production && isThisMachine(url))) {
    return problem;
  }
  if (!isPublicHost(url)) {
    return 'not-public';
  }
  const host = hostOf(url.hostname);
  return isIP(host) === 0 ? nameProblem(host, rules.resolve ?? resolveName) : undefined;
}

function formProblem(url: URL, production: boolean): AddressProblem | undefined {
  if (url.protocol !== 'https:' && (production || url.protocol !== 'http:')) {
    return 'not-https';
  }
  if (url.username !== '' || url.password !== '') {
    return 'with-password';
  }
  // The ports below belong to mail, remote shells and the like; HTTP has its usual one there.
  return url.port !== '' && url.port !== '80' && Number(url.port) < LOWEST_FREE_PORT ? 'unusual-port' : undefined;
}

function nameProblem(host: string, resolve: ResolveName): Promise<AddressProblem | undefined> {
  return new Promise((settle) => {
    publicLookupBy(resolve)(host, { all: true }, (error) => {
      if (error instanceof PrivateHost) {
        settle('not-public');
      } else {
        settle(error === null ? undefined : 'unknown-host');
      }
    });
  });
}

/** Names of one label belong to an internal network. */
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
