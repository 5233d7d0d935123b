// An export item as nearly all are, read in one pass. What is unusual in any way (a text to be cut, an id in capitals, something missing) is
// left to the schema, which also says what is wrong: it takes ten times as long, more than all else that an item costs.
import { exportItemSchema, hasExponent, type WireExportItem } from './export-item.schema.js';

type Wire = Readonly<Record<string, unknown>>;
type ReadResult = { readonly item: WireExportItem } | { readonly unreadable: string };

const MAX_TEXT = 2_000;
const MAX_NUMBER = 100;
const MAX_LINES = 1_000;
const MAX_PROBLEMS = 5;
const USUAL_ID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** @returns what the schema gives of the element (P1.8), or why it fits it not */
export function readExportItem(element: unknown): ReadResult {
  const usual = readUsualItem(element);
  if (usual !== undefined) {
    return { item: usual };
  }
  const parsed = exportItemSchema.safeParse(element);
  if (parsed.success) {
    return { item: parsed.data };
  }
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS);
  return { unreadable: problems.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
}

/** @returns undefined for what only the schema can judge */
export function readUsualItem(element: unknown): WireExportItem | undefined {
  try {
    return itemOf(object(element));
  } catch (error) {
    if (error === UNUSUAL) {
      return undefined;
    }
    throw error;
  }
}

/** Always the same one: making an error costs more than an item. */
const UNUSUAL = new Error('only the schema can judge this item');

function itemOf(wire: Wire): WireExportItem {
  return {
    accountingEntryId: id(wire['accountingEntryId']),
    companyId: id(wire['companyId']),
    type: text(wire['type']),
    subType: optional(wire['subType'], text),
    date: anyText(wire['date']),
    amount: dual(wire['amount']),
    note: optional(wire['note'], text),
    accountingEntryLines: list(wire['accountingEntryLines']).map(line),
    bookkeeping: optional(wire['bookkeeping'], bookkeeping),
    vendor: optional(wire['vendor'], vendor),
    supplier: optional(wire['supplier'], supplier),
    contraAccount: optional(wire['contraAccount'], account),
    user: optional(wire['user'], user),
    files: optional(wire['files'], files),
    servicePeriod: optional(wire['servicePeriod'], servicePeriod),
    additionalInformation: additionalInformation(object(wire['additionalInformation'])),
    _links: links(wire['_links']),
  };
}

/** As the schema: never a reason to refuse the item. */
function links(value: unknown): WireExportItem['_links'] {
  const { web } = Object(value) as Wire;
  const { exportItem } = Object(web) as Wire;
  return typeof exportItem === 'string' && exportItem.length <= MAX_TEXT && !Array.isArray(value) && !Array.isArray(web)
    ? { web: { exportItem } }
    : undefined;
}

function line(value: unknown): WireExportItem['accountingEntryLines'][number] {
  const wire = object(value);
  return {
    accountingEntryLineId: identifier(wire['accountingEntryLineId']),
    lineAmount: dual(wire['lineAmount']),
    netAmount: dual(wire['netAmount']),
    account: optional(wire['account'], account),
    tags: optional(wire['tags'], tags),
    tax: optional(wire['tax'], tax),
  };
}

function dual(value: unknown) {
  const { inSupplierCurrency, inWalletCurrency } = object(value);
  return { inSupplierCurrency: money(inSupplierCurrency), inWalletCurrency: money(inWalletCurrency) };
}

function money(value: unknown) {
  const wire = object(value);
  return { currency: anyText(wire['currency']), value: number(wire['value']) };
}

function account(value: unknown) {
  const wire = object(value);
  return {
    id: identifier(wire['id']),
    name: optional(wire['name'], text),
    code: optional(wire['code'], text),
    identifier: optional(wire['identifier'], text),
  };
}

function tags(value: unknown) {
  return elements(value).map((element) => {
    const wire = object(element);
    return { id: identifier(wire['id']), code: text(wire['code']), groupCode: text(wire['groupCode']) };
  });
}

function tax(value: unknown) {
  const wire = object(value);
  return {
    id: identifier(wire['id']),
    code: optional(wire['code'], text),
    rate: number(wire['rate']),
    type: text(wire['type']),
    amount: dual(wire['amount']),
    ingoingTaxAccount: optional(wire['ingoingTaxAccount'], text),
    outgoingTaxAccount: optional(wire['outgoingTaxAccount'], text),
  };
}

function bookkeeping(value: unknown) {
  return { method: optional(object(value)['method'], text) };
}

function vendor(value: unknown) {
  const wire = object(value);
  return {
    id: identifier(wire['id']),
    name: text(wire['name']),
    defaultCurrency: text(wire['defaultCurrency']),
    code: optional(wire['code'], text),
    externalId: optional(wire['externalId'], text),
    country: optional(wire['country'], text),
    registrationNumber: optional(wire['registrationNumber'], text),
    taxRegistrationNumber: optional(wire['taxRegistrationNumber'], text),
  };
}

function supplier(value: unknown) {
  const wire = object(value);
  return {
    name: optional(wire['name'], text),
    code: optional(wire['code'], text),
    account: optional(wire['account'], text),
    taxIdentifier: optional(wire['taxIdentifier'], text),
  };
}

function user(value: unknown) {
  const wire = object(value);
  return { id: identifier(wire['id']), name: optional(wire['name'], text), code: optional(wire['code'], text) };
}

function files(value: unknown) {
  return elements(value).map((element) => {
    const wire = object(element);
    return {
      url: optional(wire['url'], anyText),
      type: optional(wire['type'], text),
      size: optional(wire['size'], number),
    };
  });
}

function servicePeriod(value: unknown) {
  const wire = object(value);
  return { from: text(wire['from']), to: text(wire['to']) };
}

function additionalInformation(wire: Wire) {
  return {
    reconciliationId: text(wire['reconciliationId']),
    reconciledEntries: optional(wire['reconciledEntries'], (value) => elements(value).map(text)),
    invoiceInformation: optional(wire['invoiceInformation'], invoiceInformation),
  };
}

function invoiceInformation(value: unknown) {
  const wire = object(value);
  return {
    invoiceNumber: optional(wire['invoiceNumber'], text),
    invoiceDate: optional(wire['invoiceDate'], text),
    dueDate: optional(wire['dueDate'], text),
    status: optional(wire['status'], text),
  };
}

/** Null and absent mean the same everywhere (P13), and stay what they are. */
function optional<T>(value: unknown, read: (value: unknown) => T): T | null | undefined {
  return value === null || value === undefined ? value : read(value);
}

function object(value: unknown): Wire {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw UNUSUAL;
  }
  return value as Wire;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_LINES) {
    throw UNUSUAL;
  }
  return value;
}

/** Of a list in which null counts as nothing. */
function elements(value: unknown): readonly unknown[] {
  return list(value).filter((element) => element !== null);
}

function id(value: unknown): string {
  if (typeof value !== 'string' || !USUAL_ID.test(value)) {
    throw UNUSUAL;
  }
  return value;
}

function anyText(value: unknown): string {
  if (typeof value !== 'string') {
    throw UNUSUAL;
  }
  return value;
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT) {
    throw UNUSUAL;
  }
  return value;
}

/** Capitals may be those of a UUID. */
function identifier(value: unknown): string {
  const read = text(value);
  if (read !== read.toLowerCase()) {
    throw UNUSUAL;
  }
  return read;
}

function number(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_NUMBER || hasExponent(value)) {
    throw UNUSUAL;
  }
  return value;
}
