// Carries out settlement intents that are still open in the ledger, in batches.
import type { z } from 'zod';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { ErpCapability, SettleOutcome } from '../erp-ledger.js';
import { batches, companyPath, type LedgerHttp } from './ledger-http.js';
import { missingOutcome } from './ledger-outcomes.js';
import { settlementsSchema } from './ledger-wire.schema.js';

type SettlementResult = z.output<typeof settlementsSchema>['outcomes'][number];

export class LedgerSettlements {
  constructor(
    private readonly ledgerHttp: LedgerHttp,
    private readonly capability: ErpCapability,
  ) {}

  async settle(
    company: ErpCompanyId,
    keys: readonly string[],
    realizedFx: string | undefined,
  ): Promise<readonly SettleOutcome[]> {
    if (this.capability.level === 'none') {
      const message = 'the ledger cannot be searched by key (level none): settle the entries there by hand';
      return keys.map(() => ({ outcome: 'refused', message }));
    }
    const outcomes: SettleOutcome[] = [];
    for (const batch of batches(keys)) {
      outcomes.push(...(await this.settleBatch(company, batch, realizedFx)));
    }
    return outcomes;
  }

  private async settleBatch(
    company: ErpCompanyId,
    keys: readonly string[],
    realizedFx: string | undefined,
  ): Promise<readonly SettleOutcome[]> {
    const result = await this.ledgerHttp.write(settlementsSchema, {
      method: 'POST',
      path: `${companyPath(company)}/posting-groups:settle`,
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
