// What a deployment is registered as at the authorization servers of ERPs: ERP_<KIND>_CLIENT_ID and ERP_<KIND>_CLIENT_SECRET.
import { z } from 'zod';
import { Secret } from '../../../foundation/config/secret.js';

/** By kind, in upper case with underscores. */
export type ErpRegistrations = ReadonlyMap<
  string,
  { readonly clientId: string; readonly clientSecret: Secret | undefined }
>;

/** Of a kind of ERP at which people sign in; kinds come with adapters, so their names are not known here. */
const CLIENT_VARIABLE = /^ERP_([A-Z][A-Z0-9_]*)_CLIENT_(?:ID|SECRET|SECRET_FILE)$/;

export function kindsWithClient(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const kinds = Object.keys(environment).flatMap((name) => CLIENT_VARIABLE.exec(name)?.[1] ?? []);
  return [...new Set(kinds)];
}

/** Beside the variables with fixed names. */
export function clientVariables(kinds: readonly string[]): object & Record<never, z.ZodType> {
  return Object.fromEntries(
    kinds.flatMap((kind) => [
      [`ERP_${kind}_CLIENT_ID`, z.string().max(500).optional()],
      [`ERP_${kind}_CLIENT_SECRET`, z.string().max(2_000).optional()],
    ]),
  );
}

export function clientRules(
  kinds: readonly string[],
  set: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return kinds
    .filter((kind) => set[`ERP_${kind}_CLIENT_ID`] === undefined && set[`ERP_${kind}_CLIENT_SECRET`] !== undefined)
    .map((kind) => `ERP_${kind}_CLIENT_ID: is required with ERP_${kind}_CLIENT_SECRET`);
}

export function registrationsOf(kinds: readonly string[], values: object): ErpRegistrations {
  const valueOf = (name: string) => Reflect.get(values, name) as string | undefined;
  return new Map(
    kinds.flatMap((kind) => {
      const clientId = valueOf(`ERP_${kind}_CLIENT_ID`);
      const secret = valueOf(`ERP_${kind}_CLIENT_SECRET`);
      const clientSecret = secret === undefined ? undefined : new Secret(secret);
      return clientId === undefined ? [] : [[kind, { clientId, clientSecret }] as const];
    }),
  );
}
