// Creates vendors. The code of a party is unique in Tryton, so that it is made from what never changes: one key, one party.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cutText } from '../../../kernel/text.js';
import type { ErpVendor } from '../../bookkeeping/item/bookkeeping-context.js';
import { textOf, type ItemVendor } from '../../bookkeeping/item/export-item.js';
import type { ErpCall } from '../erp-call.js';
import type { CreateVendorOutcome } from '../erp-ledger.js';
import { failureOf } from '../kit/step-ledger.js';
import type { TrytonMasterData } from './tryton-master-data.js';
import type { TrytonRpc } from './tryton-rpc.js';

const MAX_NAME_LENGTH = 255;
const countrySchema = z.object({ id: z.int() });

export class TrytonVendors {
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly masterData: TrytonMasterData,
  ) {}

  async create(call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    try {
      return await this.createOnce(call, vendor, key);
    } catch (error) {
      return { outcome: 'unavailable', failure: failureOf(error) };
    }
  }

  /** @throws ErpUnavailable */
  private async createOnce(call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    const code = vendorCode(key);
    const existing = await this.find(call, code);
    if (existing !== undefined) {
      return { outcome: 'existed', vendor: existing };
    }
    const values = await this.valuesOf(call, vendor, code);
    const result = await this.rpc.write(call, z.array(z.int()), 'model.party.party.create', [[values]]);
    switch (result.kind) {
      case 'responded': {
        const created = await this.find(call, code);
        return created === undefined
          ? { outcome: 'unavailable', failure: { kind: 'server-error', message: `Tryton does not show party ${code}` } }
          : { outcome: 'created', vendor: created };
      }
      case 'refused': {
        // Perhaps because it was created at the same time.
        const other = await this.find(call, code);
        return other === undefined
          ? { outcome: 'refused', message: result.message }
          : { outcome: 'existed', vendor: other };
      }
      case 'not-sent':
      case 'unknown':
        return { outcome: 'unavailable', failure: result.failure };
    }
  }

  private async find(call: ErpCall, code: string): Promise<ErpVendor | undefined> {
    return (await this.masterData.vendors(call, [['code', '=', code]]))[0];
  }

  private async valuesOf(call: ErpCall, vendor: ItemVendor, code: string) {
    const countryCode = textOf(vendor.country)?.toUpperCase() ?? '';
    const [country] = await this.rpc.readAll(call, 'country.country', countrySchema, [['code', '=', countryCode]]);
    const numbers = [textOf(vendor.taxRegistrationNumber), textOf(vendor.registrationNumber), textOf(vendor.code)];
    const identifiers = [...new Set(numbers.filter((number) => number !== undefined))];
    return {
      name: cutText(vendor.name.trim(), MAX_NAME_LENGTH),
      code,
      addresses: [['create', [country === undefined ? {} : { country: country.id }]]],
      identifiers: [['create', identifiers.map((number) => ({ code: number }))]],
    };
  }
}

function vendorCode(key: string): string {
  return `S${createHash('sha256').update(key).digest('hex').slice(0, 12).toUpperCase()}`;
}
