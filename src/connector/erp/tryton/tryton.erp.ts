// Tryton 6.0: entries are moves, an accounting entry is a group of them that one request posts.
import { z } from 'zod';
import type { ErpCapabilities } from '../kit/capabilities.js';
import { defineErp, ERP_API_VERSION, type ErpContext } from '../kit/define-erp.js';
import { MoveReferencesReader } from './move-references.js';
import { TrytonCompanies } from './tryton-companies.js';
import { trytonFacts } from './tryton-facts.js';
import { TrytonJournals } from './tryton-journals.js';
import { DESCRIPTION_LIMIT, MAX_LINES, TrytonLedger, type TrytonParts } from './tryton-ledger.js';
import { TrytonLines } from './tryton-lines.js';
import { TrytonMasterData } from './tryton-master-data.js';
import { TrytonMoves } from './tryton-moves.js';
import { TrytonReferenceData } from './tryton-reference-data.js';
import { TrytonRpc } from './tryton-rpc.js';
import { TrytonSteps } from './tryton-steps.js';
import { trytonSettings, type TrytonSettings } from './tryton-settings.js';

const settingsSchema = z.record(z.string(), z.json()).parse(z.toJSONSchema(trytonSettings, { io: 'input' }));

export const tryton = defineErp({
  id: 'tryton',
  name: 'Tryton',
  apiVersion: ERP_API_VERSION,
  connection: { schema: settingsSchema, secrets: ['password'] },
  capabilities: (settings) => capabilitiesOf(trytonSettings.parse(settings)),
  systemOf(settings) {
    const { address, database } = trytonSettings.parse(settings);
    return `${address} ${database}`;
  },
  create(context) {
    const parts = partsOf(trytonSettings.parse(context.settings), context);
    return {
      ledger: new TrytonLedger(parts, context.clock),
      referenceData: new TrytonReferenceData(parts.companies, parts.masterData),
      describe: (scope) => trytonFacts(parts.rpc, scope),
    };
  },
});

function capabilitiesOf({ analyticAccounts, requestSeconds }: TrytonSettings): ErpCapabilities {
  return {
    uniqueKey: { kind: 'none' },
    // What a committed request has written is there for the next one.
    search: { kind: 'immediate' },
    requestMayTakeMs: requestSeconds * 1_000,
    // Several requests, of which one commits the group: half of it is never in the books.
    atomicity: 'group',
    documents: 'none',
    tax: 'posted',
    payablesNeedVendor: true,
    settlement: false,
    reversal: true,
    // A draft keeps a period from being closed, and the one who deletes it takes its key along.
    drafts: false,
    dimensions: analyticAccounts,
    rates: true,
    vendorCreation: true,
    limits: {
      groupsPerCall: 20,
      linesPerEntry: MAX_LINES,
      textLength: DESCRIPTION_LIMIT,
      concurrentRequests: 4,
      requestsPerMinute: undefined,
    },
  };
}

function partsOf(settings: TrytonSettings, context: ErpContext): TrytonParts {
  const { store, clock } = context;
  const { address, database, journal, analyticAccounts } = settings;
  const rpc = new TrytonRpc(settings, context.http);
  const journals = new TrytonJournals(rpc, store, journal);
  const page = `${address}/#${encodeURIComponent(database)}`;
  const moves = new TrytonMoves(rpc, journals, page);
  const lines = new TrytonLines(rpc, analyticAccounts);
  const references = new MoveReferencesReader(rpc, journals, analyticAccounts);
  const companies = new TrytonCompanies(rpc);
  return {
    rpc,
    companies,
    masterData: new TrytonMasterData(rpc, clock, analyticAccounts),
    steps: new TrytonSteps(companies, rpc, moves, lines, references, clock),
  };
}
