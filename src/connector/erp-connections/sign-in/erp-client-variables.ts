// What a deployment is registered as at the authorization servers of ERPs, and at which of them: ERP_<KIND>_CLIENT_ID,
// ERP_<KIND>_CLIENT_SECRET and ERP_<KIND>_CLIENT_SERVERS.
import { z } from 'zod';
import { httpAddress } from '../../../foundation/config/http-address.js';
import { Secret } from '../../../foundation/config/secret.js';

/** What the deployment has registered at the authorization server of a kind of ERP. */
interface ErpOAuthRegistration {
  readonly clientId: string;
  /** Undefined: a public client, which has none. */
  readonly clientSecret: Secret | undefined;
  /** Origins of the token endpoints at which it is registered; undefined, for a public client alone: any that settings lead to. */
  readonly servers: readonly string[] | undefined;
}

/** By kind, in upper case with underscores. */
export type ErpRegistrations = ReadonlyMap<string, ErpOAuthRegistration>;

/** Of a kind of ERP at which people sign in; kinds come with adapters, so their names are not known here. */
const CLIENT_VARIABLE = /^ERP_([A-Z][A-Z0-9_]*)_CLIENT_(?:ID|SECRET|SECRET_FILE|SERVERS)$/;

export function kindsWithClient(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const kinds = Object.keys(environment).flatMap((name) => CLIENT_VARIABLE.exec(name)?.[1] ?? []);
  return [...new Set(kinds)];
}

/** Beside the variables with fixed names. */
export function clientVariables(kinds: readonly string[]): object & Record<never, z.ZodType> {
  return Object.fromEntries(
    kinds.flatMap((kind): readonly (readonly [name: string, rule: z.ZodType])[] => [
      [`ERP_${kind}_CLIENT_ID`, z.string().max(500).optional()],
      [`ERP_${kind}_CLIENT_SECRET`, z.string().max(2_000).optional()],
      [`ERP_${kind}_CLIENT_SERVERS`, z.string().transform(origins).optional()],
    ]),
  );
}

export function clientRules(
  kinds: readonly string[],
  set: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const needed = (name: 'ID' | 'SERVERS') =>
    kinds
      .filter(
        (kind) => set[`ERP_${kind}_CLIENT_${name}`] === undefined && set[`ERP_${kind}_CLIENT_SECRET`] !== undefined,
      )
      .map((kind) => `ERP_${kind}_CLIENT_${name}: is required with ERP_${kind}_CLIENT_SECRET`);
  return [...needed('ID'), ...needed('SERVERS')];
}

export function registrationsOf(kinds: readonly string[], values: object): ErpRegistrations {
  const valueOf = (name: string) => Reflect.get(values, name) as string | undefined;
  return new Map(
    kinds.flatMap((kind) => {
      const clientId = valueOf(`ERP_${kind}_CLIENT_ID`);
      const secret = valueOf(`ERP_${kind}_CLIENT_SECRET`);
      const clientSecret = secret === undefined ? undefined : new Secret(secret);
      const servers = Reflect.get(values, `ERP_${kind}_CLIENT_SERVERS`) as readonly string[] | undefined;
      return clientId === undefined ? [] : [[kind, { clientId, clientSecret, servers }] as const];
    }),
  );
}

function origins(text: string, context: z.RefinementCtx): readonly string[] {
  const all = text.split(',').map((one) => httpAddress.safeParse(one.trim()).data);
  const found = all.flatMap((one) => (one === undefined ? [] : [new URL(one).origin]));
  if (found.length === all.length) {
    return found;
  }
  context.addIssue({ code: 'custom', message: 'needs addresses that begin with https:// or http://, comma between' });
  return z.NEVER;
}
