// What an adapter says of itself, and what it is given. Nothing else of the connector is known to it.
import type { Clock } from '../../../kernel/clock.js';
import type { JsonValue } from '../../../kernel/json.js';
import type { CallScope } from '../erp-call.js';
import type { ErpLedger } from '../erp-ledger.js';
import type { ErpReferenceData } from '../erp-reference-data.js';
import type { ErpCapabilities } from './capabilities.js';
import type { ErpBatches } from './erp-batches.js';
import type { ErpFacts } from './erp-facts.js';
import type { ErpHttp, ErpHttpOptions } from './erp-http.js';
import type { ErpStore } from './erp-store.js';

/** Grows when an adapter that was written for the one before would no longer work. */
export const ERP_API_VERSION = 1;

export type ErpSettings = Readonly<Record<string, JsonValue>>;

/**
 * Sign-in by OAuth 2: authorization code with PKCE and `state`. The connector keeps and renews the tokens; every client of
 * `context.http` sends the access token. The client that the deployment registered there is `ERP_<KIND>_CLIENT_ID` and
 * `ERP_<KIND>_CLIENT_SECRET`; the secret is sent to the hosts of `ERP_<KIND>_CLIENT_SERVERS` alone.
 */
export interface ErpOAuth {
  readonly kind: 'oauth2';
  /** @returns undefined where connections with these settings sign in by the settings */
  server(settings: ErpSettings): ErpOAuthServer | undefined;
  /** Those that the adapter needs, and what the ERP wants for a refresh token (`offline_access`). */
  readonly scopes: readonly string[];
  /** Where the client's secret stands in requests to the token endpoint: in the header, or in the form. */
  readonly clientAuthentication: 'basic' | 'post';
  /** Further parameters of the address that the browser is sent to, for instance `audience` or `prompt`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The endpoints, or an issuer whose metadata name them (OpenID Connect Discovery, RFC 8414). */
export type ErpOAuthServer =
  | { readonly issuer: string }
  | {
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      /** As it calls itself when it sends the browser back (`iss`); the origin of the token endpoint where it is left out. */
      readonly issuer?: string;
    };

export interface ErpDefinition {
  /** Lower-case letters, digits, hyphens; never changes, since connections are stored with it. */
  readonly id: string;
  /** As people call the ERP. */
  readonly name: string;
  /** The same by language, as `{ de: 'Dateien' }`, where it is another one there. */
  readonly names?: Readonly<Record<string, string>>;
  readonly apiVersion: typeof ERP_API_VERSION;
  readonly connection: {
    /**
     * JSON Schema (draft 2020-12) of one object: what a person enters to connect, credentials included. `title` and
     * `description` of each property are shown to people, those in `translations` beside them (`{ de: { title, description } }`) to
     * readers of that language. A property with `format: "uri"` is an address of the ERP and obeys the rules of addresses from outside.
     */
    readonly schema: Readonly<Record<string, JsonValue>>;
    /** Properties that are sealed, never shown again and never logged. */
    readonly secrets: readonly string[];
    /** Where a person signs in at the ERP itself; absent: connections sign in by what stands in their settings. */
    readonly auth?: ErpOAuth;
  };
  /** @param settings as the schema admits them */
  capabilities(settings: ErpSettings): ErpCapabilities;
  /**
   * Which ERP these settings lead to: a company of it belongs to one installation only.
   * @returns the same text for every connection to the same ERP, for instance its address (`addressSetting`) and database; undefined: what
   *   each installation has there is its own, and no other installation can reach it
   */
  systemOf(settings: ErpSettings): string | undefined;
  create(context: ErpContext): ConnectedAdapter;
}

/** What an adapter works with; one for each connection. */
export interface ErpContext {
  /** Names the connection among all of them: letters, digits, hyphens. */
  readonly connectionId: string;
  /** Secrets included. */
  readonly settings: ErpSettings;
  readonly capabilities: ErpCapabilities;
  readonly store: ErpStore;
  readonly clock: Clock;
  /** An HTTP client with the rules of writes; closed with the connection. After an OAuth sign-in it sends the access token. */
  readonly http: (options: ErpHttpOptions) => ErpHttp;
  /** @param fields plain values without names of people, texts or credentials */
  readonly log: (
    level: 'info' | 'warn' | 'error',
    event: string,
    fields: Readonly<Record<string, string | number | boolean>>,
  ) => void;
}

export interface ConnectedAdapter {
  readonly ledger: ErpLedger;
  readonly referenceData: ErpReferenceData;
  /** Only where the ERP says something of itself or of the sign-in. @throws ErpUnavailable */
  describe?(scope: CallScope): Promise<ErpFacts>;
  /** Only where entries are given out as files. @throws ErpUnavailable */
  batches?(): ErpBatches;
  /** Gives up what was opened besides `context.http`. */
  close?(): void;
}

/**
 * A setting that the schema admits as a text only.
 * @returns the empty text when it was left out
 */
export function textSetting(settings: ErpSettings, name: string): string {
  const value = settings[name];
  return typeof value === 'string' ? value : '';
}

/** Checks nothing at run time; gives an adapter its types. */
export function defineErp(definition: ErpDefinition): ErpDefinition {
  return definition;
}
