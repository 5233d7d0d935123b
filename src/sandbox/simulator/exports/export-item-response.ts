// The documented content of an export item (P1.8). Items are sent as they were added, so that a test can serve a
// wrong one; and the platform may add fields.
import { z } from 'zod';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';

const money = z.object({ currency: z.string(), value: z.number() });
const dual = z.looseObject({ inSupplierCurrency: money, inWalletCurrency: money });
const named = z.looseObject({ id: z.string(), name: z.string(), code: z.string().nullish() });
const account = named.extend({ identifier: z.string().nullish() });

const line = z.looseObject({
  accountingEntryLineId: uuidResponseField,
  lineAmount: dual,
  netAmount: dual,
  account: account.nullish(),
  tags: z.array(z.looseObject({ id: z.string(), code: z.string(), groupCode: z.string() }).nullable()).nullish(),
  tax: z
    .looseObject({
      id: z.string(),
      code: z.string().nullish(),
      rate: z.number(),
      type: z.string(),
      amount: dual,
      ingoingTaxAccount: z.string().nullish(),
      outgoingTaxAccount: z.string().nullish(),
    })
    .nullish(),
});

/** Version 2 has no contra account, and has the code of the team beside the team. */
export const exportItemResponseSchema = z.looseObject({
  accountingEntryId: uuidResponseField,
  companyId: uuidResponseField,
  type: z.string(),
  subType: z.string().nullish(),
  date: instantResponseField,
  amount: dual,
  note: z.string().nullish(),
  accountingEntryLines: z.array(line),
  bookkeeping: z.looseObject({ method: z.string() }).nullish(),
  vendor: z.looseObject({ id: z.string(), name: z.string(), defaultCurrency: z.string() }).nullish(),
  supplier: z.looseObject({ name: z.string().nullish() }).nullish(),
  contraAccount: account.nullish(),
  user: named.nullish(),
  team: named.nullish(),
  teamCode: z.string().nullish(),
  files: z.array(z.looseObject({ url: z.string(), type: z.string(), size: z.number() }).nullable()).nullish(),
  servicePeriod: z.looseObject({ from: z.string(), to: z.string() }).nullish(),
  additionalInformation: z.looseObject({
    reconciliationId: z.string(),
    attendees: z.array(z.string().nullable()).nullish(),
    reconciledEntries: z.array(z.string().nullable()).nullish(),
    invoiceInformation: z
      .looseObject({ invoiceNumber: z.string(), invoiceDate: z.string(), status: z.string() })
      .nullish(),
  }),
  _links: z.record(z.string(), z.unknown()),
});
