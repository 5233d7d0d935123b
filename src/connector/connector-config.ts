import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { databaseAddress } from '../foundation/config/database-address.js';
import { httpAddress } from '../foundation/config/http-address.js';
import { loadConfig } from '../foundation/config/load-config.js';
import { Secret } from '../foundation/config/secret.js';
import { type Logger, loggingVariables, type LoggingConfig } from '../foundation/logging/logger.js';
import type { MailerOptions } from '../foundation/mail/mailer.js';
import {
  ledgerCapabilityOf,
  ledgerLevelRules,
  ledgerLevelVariables,
} from './erp-connections/ledger-level-variables.js';
import {
  clientRules,
  clientVariables,
  kindsWithClient,
  registrationsOf,
  type ErpRegistrations,
} from './erp-connections/sign-in/erp-client-variables.js';
import type { PostingGuarantee } from './erp/erp-ledger.js';
import { loadDevelopmentKeys } from './installations/credentials/development-keys.js';
import { parseKeyRing, type KeyRing } from './installations/credentials/key-ring.js';
import type { RequestLimits } from './limits/request-limits.js';
import {
  DEVELOPMENT_CLIENT_SECRET,
  DEVELOPMENT_KEY_ID,
  DEVELOPMENT_LEDGER_KEY,
  productionProblems,
} from './production-rules.js';
import { ROUTE_GROUPS, type RouteGroup } from './limits/served-routes.plugin.js';

/** Development defaults of values that production sets in its environment. */
export const DEVELOPMENT_DATA = '.data';

/** The validated configuration, injected by this class. */
export abstract class ConnectorConfig {
  abstract readonly production: boolean;
  /** Unset in development: the embedded PostgreSQL. */
  abstract readonly databaseUrl: string | undefined;
  /** The server itself, where `databaseUrl` is of a pooler in transaction mode: for what needs a session of its own. */
  abstract readonly databaseDirectUrl: string | undefined;
  /** Interface the servers listen on. */
  abstract readonly host: string;
  abstract readonly port: number;
  /** Address under which the platform and people reach this connector, without trailing slash. */
  abstract readonly publicUrl: string;
  abstract readonly internalPort: number;
  /** What the API process serves on its public port. */
  abstract readonly serves: readonly RouteGroup[];
  /** Addresses and networks of the proxies in front, which say whose request it is. */
  abstract readonly trustedProxies: readonly string[];
  abstract readonly limits: RequestLimits;
  abstract readonly platform: {
    readonly apiUrl: string;
    readonly authUrl: string;
    /** What `iss` must say when the platform sends it back with an authorization (RFC 9207). */
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: Secret;
    /** Most requests in any minute, over all processes. */
    readonly requestsPerMinute: number;
  };
  abstract readonly erp: {
    /** Packages or paths of adapters besides those of the repository. */
    readonly adapters: readonly string[];
    /** Where batches of files are put as well; undefined: they are downloaded only. */
    readonly filesFolder: string | undefined;
    /** What this deployment is registered as at the authorization servers of ERPs. */
    readonly registrations: ErpRegistrations;
    /** Whether ERPs may be hosts of an inner network. */
    readonly isNetworkPrivate: boolean;
    /** The sandbox's ledger, for companies without a connection of their own; undefined in production. */
    readonly ledger:
      | {
          readonly url: string;
          readonly apiKey: Secret;
          /** What the ledger's companies were set up to promise about keys. */
          readonly guarantee: PostingGuarantee;
        }
      | undefined;
  };
  abstract readonly credentialKeys: KeyRing;
  /** Of a sandbox or a test; undefined in production, where operators have tokens with a name. */
  abstract readonly operatorToken: Secret | undefined;
  /** Seconds after which a company without a webhook is polled again. */
  abstract readonly pollSeconds: number;
  /** Days for which items are kept after their job has ended. */
  abstract readonly itemDays: number;
  /** Days for which addresses of downloads are kept. */
  abstract readonly addressDays: number;
  /** Where people open issues, without trailing slash: by default our own page under `PUBLIC_URL`; undefined: reasons have no address. */
  abstract readonly issuePages: string | undefined;
  abstract readonly mail: MailerOptions;
  abstract readonly logging: LoggingConfig;
}

/** What a process of the connector is started with. */
export abstract class ConnectorProgram {
  abstract readonly config: ConnectorConfig;
  abstract readonly logger: Logger;
  /** A worker also supervises the queue and takes tasks. */
  abstract readonly role: 'api' | 'worker';
}

/** Over all tenants: a system that fails this often in a row is not called for a moment. */
export const CIRCUIT = { failuresToOpen: 10, openMs: 5_000 };

/** In bytes. */
export const MEGABYTE = 1_048_576;

const url = httpAddress.transform((text) => text.replace(/\/+$/, ''));
const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'needs a postgres:// address')
  .refine((text) => URL.canParse(text), 'needs a postgres:// address');
const port = z.coerce.number('needs a port number').int().min(0).max(65_535);
const secret = z
  .string()
  .min(16, 'needs at least 16 characters')
  .transform((text) => new Secret(text));

const perMinute = z.coerce.number('needs a number').int().min(10).max(10_000_000);

const adapterNames = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

const variables = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test'], 'needs "production" or "development"').optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_NETWORK: z.enum(['public', 'private'], 'needs "public" or "private"').default('public'),
  HOST: z.string().optional(),
  PORT: port.default(3000),
  PUBLIC_URL: url.optional(),
  INTERNAL_PORT: port.default(3001),
  PLATFORM_API_URL: url.optional(),
  PLATFORM_AUTH_URL: url.optional(),
  // As the platform writes it, a slash at its end included.
  PLATFORM_ISSUER: httpAddress.optional(),
  PLATFORM_CLIENT_ID: z.string().optional(),
  PLATFORM_CLIENT_SECRET: secret.optional(),
  PLATFORM_REQUESTS_PER_MINUTE: z.coerce.number('needs a number').int().min(10).max(1_000_000).default(500),
  CONNECTOR_ERP_ADAPTERS: adapterNames,
  // The same by its earlier name.
  ERP_ADAPTERS: adapterNames,
  FILES_FOLDER: z.string().min(1).optional(),
  ERP_NETWORK: z.enum(['public', 'private'], 'needs "public" or "private"').default('public'),
  LEDGER_URL: url.optional(),
  LEDGER_API_KEY: secret.optional(),
  ...ledgerLevelVariables,
  CREDENTIAL_KEYS: z.string().transform(keyRing).optional(),
  OPERATOR_TOKEN: secret.optional(),
  CONNECTOR_SERVES: z.string().transform(routeGroups).optional(),
  CONNECTOR_TRUSTED_PROXIES: z.string().transform(networks).optional(),
  CONNECTOR_REQUESTS_PER_MINUTE: perMinute.default(6_000),
  CONNECTOR_STRANGERS_PER_MINUTE: perMinute.default(3_000),
  CONNECTOR_WEBHOOKS_PER_MINUTE: perMinute.default(30_000),
  CONNECTOR_QUESTIONS_PER_MINUTE: perMinute.default(30),
  CONNECTOR_POLL_SECONDS: z.coerce.number('needs a number of seconds').int().min(1).max(600).default(300),
  CONNECTOR_ITEM_DAYS: z.coerce.number('needs a number of days').int().min(1).max(3_650).default(400),
  CONNECTOR_ADDRESS_DAYS: z.coerce.number('needs a number of days').int().min(1).max(3_650).default(90),
  CONNECTOR_ISSUE_PAGES: httpAddress
    .max(300)
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  CONNECTOR_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'needs an smtp:// or smtps:// address')
    .transform((text) => new Secret(text))
    .optional(),
  CONNECTOR_MAIL_FROM: z.email('needs a mail address').optional(),
  ...loggingVariables,
});

/** What may also be handed over as a file: `<name>_FILE` names it. */
const SECRETS = [
  'DATABASE_PASSWORD',
  'PLATFORM_CLIENT_SECRET',
  'CREDENTIAL_KEYS',
  'OPERATOR_TOKEN',
  'CONNECTOR_SMTP_URL',
  'LEDGER_API_KEY',
] as const;

function directAddressRules(set: Readonly<Record<string, string | undefined>>): readonly string[] {
  return set['DATABASE_DIRECT_URL'] !== undefined && set['DATABASE_URL'] === undefined
    ? ['DATABASE_DIRECT_URL: is for a pooler in DATABASE_URL only']
    : [];
}

/** Settings of the sandbox's ledger, where one `.env` serves all programs. */
const OF_THE_LEDGER = [
  'LEDGER_PORT',
  'LEDGER_DATABASE_URL',
  'LEDGER_DATABASE_PASSWORD',
  'LEDGER_DATABASE_PASSWORD_FILE',
  'LEDGER_CLIENT_ID',
  'LEDGER_CLIENT_SECRET',
  'LEDGER_CLIENT_SECRET_FILE',
  'LEDGER_REDIRECT_URI',
];

/** What begins so and is not known is a mistake. */
const PREFIXES = [
  'DATABASE_',
  'PLATFORM_',
  'ERP_',
  'FILES_',
  'LEDGER_',
  'CREDENTIAL_',
  'OPERATOR_',
  'CONNECTOR_',
  'PUBLIC_',
  'INTERNAL_',
];

/**
 * Reads the connector's environment.
 * @throws ConfigurationError with every problem at once
 */
export function loadConnectorConfig(environment: Readonly<Record<string, string | undefined>>): ConnectorConfig {
  const kinds = kindsWithClient(environment);
  const values = loadConfig(
    {
      schema: variables.extend(clientVariables(kinds)),
      secrets: [...SECRETS, ...kinds.map((kind) => `ERP_${kind}_CLIENT_SECRET`)],
      rules: (set) => [
        ...productionProblems(set),
        ...directAddressRules(set),
        ...ledgerLevelRules(set),
        ...clientRules(kinds, set),
      ],
      prefixes: PREFIXES,
      foreign: OF_THE_LEDGER,
    },
    environment,
  );
  return Object.freeze({
    production: values.NODE_ENV === 'production',
    databaseUrl: values.DATABASE_URL && databaseAddress(values.DATABASE_URL, values.DATABASE_PASSWORD),
    databaseDirectUrl:
      values.DATABASE_DIRECT_URL && databaseAddress(values.DATABASE_DIRECT_URL, values.DATABASE_PASSWORD),
    host: values.HOST ?? (values.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT.toString()}`,
    internalPort: values.INTERNAL_PORT,
    serves: values.CONNECTOR_SERVES ?? ROUTE_GROUPS,
    trustedProxies: values.CONNECTOR_TRUSTED_PROXIES ?? [],
    limits: {
      callerPerMinute: values.CONNECTOR_REQUESTS_PER_MINUTE,
      anonymousPerMinute: values.CONNECTOR_STRANGERS_PER_MINUTE,
      endpointPerMinute: values.CONNECTOR_WEBHOOKS_PER_MINUTE,
      interactivePerMinute: values.CONNECTOR_QUESTIONS_PER_MINUTE,
    },
    platform: platformOf(values),
    erp: { ...erpOf(values), registrations: registrationsOf(kinds, values) },
    credentialKeys: values.CREDENTIAL_KEYS ?? loadDevelopmentKeys(DEVELOPMENT_DATA, DEVELOPMENT_KEY_ID),
    operatorToken: values.OPERATOR_TOKEN,
    pollSeconds: values.CONNECTOR_POLL_SECONDS,
    itemDays: values.CONNECTOR_ITEM_DAYS,
    addressDays: values.CONNECTOR_ADDRESS_DAYS,
    issuePages: values.CONNECTOR_ISSUE_PAGES ?? (values.PUBLIC_URL && `${values.PUBLIC_URL}/app/issues`),
    mail: mailOf(values),
    logging: values,
  });
}

function mailOf({ CONNECTOR_SMTP_URL: url, CONNECTOR_MAIL_FROM: from, PUBLIC_URL }: z.output<typeof variables>) {
  return { url, from: from ?? `no-reply@${hostOf(PUBLIC_URL)}` };
}

function hostOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
}

function platformOf(values: z.output<typeof variables>): ConnectorConfig['platform'] {
  return {
    apiUrl: values.PLATFORM_API_URL ?? 'http://localhost:3100',
    authUrl: values.PLATFORM_AUTH_URL ?? 'http://localhost:3100',
    issuer: values.PLATFORM_ISSUER ?? values.PLATFORM_AUTH_URL ?? 'http://localhost:3100',
    clientId: values.PLATFORM_CLIENT_ID ?? 'erp-export-connector',
    clientSecret: values.PLATFORM_CLIENT_SECRET ?? new Secret(DEVELOPMENT_CLIENT_SECRET),
    requestsPerMinute: values.PLATFORM_REQUESTS_PER_MINUTE,
  };
}

function erpOf(values: z.output<typeof variables>): Omit<ConnectorConfig['erp'], 'registrations'> {
  return {
    adapters: [...new Set([...values.CONNECTOR_ERP_ADAPTERS, ...values.ERP_ADAPTERS])],
    filesFolder: values.FILES_FOLDER,
    isNetworkPrivate: values.ERP_NETWORK === 'private',
    ledger:
      values.NODE_ENV === 'production'
        ? undefined
        : {
            url: values.LEDGER_URL ?? 'http://localhost:3200',
            apiKey: values.LEDGER_API_KEY ?? new Secret(DEVELOPMENT_LEDGER_KEY),
            guarantee: ledgerCapabilityOf(values),
          },
  };
}

function routeGroups(text: string, context: z.RefinementCtx): readonly RouteGroup[] {
  const names = text.split(',').map((name) => name.trim());
  const found = ROUTE_GROUPS.filter((group) => names.includes(group));
  if (found.length === names.length) {
    return found;
  }
  context.addIssue({ code: 'custom', message: `needs some of ${ROUTE_GROUPS.join(', ')}, comma between` });
  return z.NEVER;
}

function networks(text: string, context: z.RefinementCtx): readonly string[] {
  const all = text.split(',').map((one) => one.trim());
  if (all.every((one) => isNetwork(one))) {
    return all;
  }
  context.addIssue({ code: 'custom', message: 'needs IP addresses or networks (10.0.0.0/8), comma between' });
  return z.NEVER;
}

function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && (address === text || ipaddr.isValidCIDR(text));
}

function keyRing(text: string, context: z.RefinementCtx): KeyRing {
  const parsed = parseKeyRing(text);
  if (typeof parsed !== 'string') {
    return parsed;
  }
  context.addIssue({ code: 'custom', message: parsed });
  return z.NEVER;
}
