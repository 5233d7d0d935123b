// Asks name servers for the addresses of a name from outside. Not `dns.lookup`: it has no limit of time, and its
// four threads are those of files too, so that a few names whose servers are silent would hold up the whole process. Names
// of this machine's own files are not found, which are none of the internet.
import { promises, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP } from 'node:net';

/** Asks for all addresses of a name, as `dns.lookup` with `all` does. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface ResolverOptions {
  /** `address:port` of name servers; absent: the system's. */
  readonly servers?: readonly string[];
  /** Milliseconds for one name, all attempts together. */
  readonly limitMs?: number;
}

const LIMIT_MS = 3_000;
const TRY_MS = 1_000;
const TRIES = 2;

/** @returns what resolves names, IPv4 addresses first; it ends with an error when no server answers in time */
export function resolverOf({ servers, limitMs = LIMIT_MS }: ResolverOptions = {}): ResolveName {
  return (hostname, { family = 0 }, callback) => {
    // One of its own per name: what is cancelled is this name alone.
    const resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers !== undefined) {
      resolver.setServers(servers);
    }
    const limit = setTimeout(() => {
      resolver.cancel();
    }, limitMs);
    addressesOf(resolver, hostname, family)
      .finally(() => {
        clearTimeout(limit);
      })
      .then(
        (addresses) => {
          callback(null, addresses);
        },
        (error: unknown) => {
          callback(error as NodeJS.ErrnoException, []);
        },
      );
  };
}

/** @throws Error when no address of the family was answered; what has been answered by the end of the limit is enough */
async function addressesOf(
  resolver: promises.Resolver,
  hostname: string,
  family: NonNullable<LookupAllOptions['family']>,
): Promise<readonly LookupAddress[]> {
  const isWanted = (version: 4 | 6) => [0, version, `IPv${version.toString()}`].includes(family);
  const answers = await Promise.allSettled([
    isWanted(4) ? resolver.resolve4(hostname) : [],
    isWanted(6) ? resolver.resolve6(hostname) : [],
  ]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (addresses.length === 0 && failed !== undefined) {
    throw failed.reason;
  }
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
