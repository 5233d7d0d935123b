// Carries out settlement intents that are still open in the ledger.
import type { z } from 'zod';
import type { ErpCall } from '../erp-call.js';
import type { SettleOutcome } from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath } from './ledger-http.js';
import { missingOutcome } from './ledger-outcomes.js';
import { settlementsSchema } from './ledger-wire.schema.js';

type SettlementResult = z.output<typeof settlementsSchema>['outcomes'][number];

export class LedgerSettlements {
  constructor(private readonly http: ErpHttp) {}

  async settle(
    call: ErpCall,
    keys: readonly string[],
    realizedFx: string | undefined,
  ): Promise<readonly SettleOutcome[]> {
    const result = await this.http.writeRepeatable(call, settlementsSchema, {
      method: 'POST',
      path: `${companyPath(call)}/posting-groups:settle`,
      body: { keys, realizedFxAccountCode: realizedFx },
    });
    switch (result.kind) {
      case 'responded': {
        const byKey = new Map(result.value.outcomes.map((outcome) => [outcome.key, outcome]));
        return keys.map((key) => settlementOf(key, byKey.get(key)));
      }
      case 'refused':
        return keys.map(() => ({ outcome: 'refused', message: result.message }));
      case 'not-sent':
      case 'unknown':
        return keys.map(() => ({ outcome: 'unavailable', failure: result.failure }));
    }
  }
}

function settlementOf(key: string, response: SettlementResult | undefined): SettleOutcome {
  switch (response?.outcome) {
    case 'settled':
    case 'nothing-to-settle':
      return { outcome: response.outcome };
    case 'refused':
      return { outcome: 'refused', message: response.message };
    case undefined:
      return { outcome: 'unavailable', failure: missingOutcome(key) };
  }
}
