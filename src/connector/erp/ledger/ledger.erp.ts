// The fake ERP as an adapter of the kit. The levels of the ledger's companies become capabilities here.
import { z } from 'zod';
import type { JsonValue } from '../../../kernel/json.js';
import type { CallScope } from '../erp-call.js';
import type { PostingGuarantee } from '../erp-ledger.js';
import { addressSetting } from '../kit/address-setting.js';
import { guaranteeOf, type ErpCapabilities } from '../kit/capabilities.js';
import { defineErp, ERP_API_VERSION, textSetting, type ErpSettings } from '../kit/define-erp.js';
import type { ErpFacts } from '../kit/erp-facts.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { ledgerHttpOptions } from './ledger-http.js';
import { LedgerErp } from './ledger-erp.adapter.js';
import { LedgerReferenceData } from './ledger-reference-data.js';

/** Groups or keys that the ledger takes in one request. */
const BATCH_SIZE = 500;

export const ledger = defineErp({
  id: 'ledger',
  name: 'Ledger (sandbox)',
  apiVersion: ERP_API_VERSION,
  connection: {
    schema: {
      type: 'object',
      required: ['url'],
      additionalProperties: false,
      properties: {
        url: {
          type: 'string',
          format: 'uri',
          maxLength: 500,
          title: 'Address',
          description: 'Where the ledger runs. Its start page creates a company with its key.',
          translations: {
            de: {
              title: 'Adresse',
              description: 'Wo der Ledger läuft. Seine Startseite legt ein Unternehmen mit seinem Schlüssel an.',
            },
          },
          // Where `npm start` and `npm run ledger` start it.
          default: 'http://localhost:3200',
        },
        apiKey: {
          type: 'string',
          minLength: 8,
          maxLength: 200,
          title: 'API key',
          description:
            'A key of the ledger. It opens the companies that it was made for. Without one a person signs in at the ledger.',
          translations: {
            de: {
              title: 'API-Schlüssel',
              description:
                'Ein Schlüssel des Ledgers. Er öffnet die Unternehmen, für die er erstellt wurde. Ohne einen meldet sich eine Person am Ledger an.',
            },
          },
        },
        guarantee: {
          type: 'object',
          title: 'Guarantee about keys',
          description: 'What the companies were created to guarantee; "permanent-key" by default.',
          required: ['level'],
          additionalProperties: false,
          properties: {
            level: { enum: ['none', 'searchable-reference', 'expiring-key', 'permanent-key'] },
            keyLifeMs: { type: 'integer', minimum: 1 },
            searchLagMs: { type: 'integer', minimum: 0 },
          },
        },
      },
    },
    secrets: ['apiKey'],
    auth: {
      kind: 'oauth2',
      server: (settings) => (settings['apiKey'] === undefined ? { issuer: addressOf(settings) } : undefined),
      scopes: ['books'],
      clientAuthentication: 'basic',
    },
  },
  capabilities: ({ guarantee }) => ledgerCapabilities(guaranteeSetting(guarantee)),
  systemOf: addressOf,
  create({ settings, capabilities, http }) {
    const url = addressOf(settings);
    const options = ledgerHttpOptions(url, textSetting(settings, 'apiKey'));
    const calls = http(options);
    return {
      ledger: new LedgerErp(calls, url, guaranteeOf(capabilities)),
      // Whole lists of master data are read beside the postings, and never delay them.
      referenceData: new LedgerReferenceData(http({ ...options, maxConnections: 4 })),
      describe: (scope) => ledgerFacts(calls, scope),
    };
  },
});

function addressOf(settings: ErpSettings): string {
  return addressSetting(settings, 'url');
}

/** Of its keys one may do as much as another. @throws ErpUnavailable */
async function ledgerFacts(http: ErpHttp, scope: CallScope): Promise<ErpFacts> {
  const health = await http.read(scope, z.object({ version: z.string().max(20).optional() }), {
    method: 'GET',
    path: '/health',
  });
  return {
    ...(health?.version !== undefined && { version: health.version }),
    may: { post: true, attach: true, 'create-vendors': true, 'post-to-closed-periods': false },
  };
}

/** @param guarantee of the ledger's companies; the longest duration of one request is taken off it already */
export function ledgerCapabilities(guarantee: PostingGuarantee): ErpCapabilities {
  const canSearch = guarantee.level !== 'none';
  return {
    ...axesOf(guarantee),
    requestMayTakeMs: 0,
    atomicity: 'group',
    documents: 'before',
    tax: 'posted',
    taxDetails: true,
    payablesNeedVendor: false,
    settlement: canSearch,
    settlementAcrossAccounts: canSearch,
    reversal: canSearch,
    drafts: true,
    dimensions: true,
    rates: true,
    vendorCreation: true,
    // Asked of the ledger for every job: what it says has changed is read again.
    masterData: { reusableForMs: 0, changesSince: true },
    balances: true,
    limits: {
      groupsPerCall: BATCH_SIZE,
      linesPerEntry: 500,
      textLength: 500,
      concurrentRequests: 8,
      requestsPerMinute: undefined,
      requestsPerGroup: 1 / BATCH_SIZE,
    },
  };
}

function axesOf(guarantee: PostingGuarantee): Pick<ErpCapabilities, 'uniqueKey' | 'search'> {
  switch (guarantee.level) {
    case 'permanent-key':
      return { uniqueKey: { kind: 'forever' }, search: { kind: 'immediate' } };
    case 'expiring-key':
      return { uniqueKey: { kind: 'for-a-time', keyLifeMs: guarantee.keyLifeMs }, search: { kind: 'immediate' } };
    case 'searchable-reference':
      return { uniqueKey: { kind: 'none' }, search: { kind: 'with-lag', searchLagMs: guarantee.searchLagMs } };
    case 'none':
      return { uniqueKey: { kind: 'none' }, search: { kind: 'none' } };
  }
}

/** As the schema of the settings admits it. */
function guaranteeSetting(value: JsonValue | undefined): PostingGuarantee {
  const { level, keyLifeMs, searchLagMs } = (value ?? { level: 'permanent-key' }) as ErpSettings;
  switch (level) {
    case 'expiring-key':
      return { level, keyLifeMs: Number(keyLifeMs ?? 60_000) };
    case 'searchable-reference':
      return { level, searchLagMs: Number(searchLagMs ?? 10_000) };
    case 'none':
      return { level };
    default:
      return { level: 'permanent-key' };
  }
}
