import { randomUUID } from 'node:crypto';
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { ContraAccount } from '../companies/company.repository.js';
import { isUuid } from '../../../kernel/ids.js';
import { ApiError } from '../wire/api-error.js';
import { wireTime } from '../wire/wire-time.js';
import { brokenItemRules } from './export-item-rules.js';
import { showsContraAccount } from './domain/contra-accounts.js';
import type { StoredItem } from './export-item.repository.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Most items of one call that adds items. */
const MAX_BATCH = 1_000;

/** Whether items are taken that the platform could never send, so that a test can serve a wrong one. */
export type ItemCheck = 'as_documented' | 'anything';

interface Surroundings {
  readonly now: Date;
  /** Where people see the platform's page, without a slash at its end. */
  readonly site: string;
}

/**
 * Reads new items: an array of version 3 items. Ids and the fields the schema requires are filled in
 * where they are missing; everything else stays as it is. Numbers keep every digit of their text.
 * @param text JSON
 * @throws ApiError 400, also for what breaks a rule of the platform's items unless anything is taken
 */
export function readNewItems(
  text: string,
  companyId: string,
  { now, site }: Surroundings,
  check: ItemCheck,
): readonly StoredItem[] {
  const elements = parseExactly(text);
  if (!Array.isArray(elements) || elements.length === 0 || elements.length > MAX_BATCH) {
    throw invalid(`the body is an array of 1 to ${MAX_BATCH.toString()} export items`);
  }
  return elements.map((element: unknown, index) => {
    if (!isObject(element)) {
      throw invalid(`item ${index.toString()} is not an object`);
    }
    const whole = completed(element, companyId, { now, site });
    const broken = check === 'anything' ? [] : brokenItemRules(companyId, whole);
    if (broken.length > 0) {
      throw invalid(`item ${index.toString()} is none the platform sends: ${broken.join('; ')}`);
    }
    return storedItem(whole, companyId, index);
  });
}

/**
 * An item's text with the contra account that the company's settings give it.
 * @param contraAccounts by ISO 4217 code
 */
export function itemTextV3(item: StoredItem, contraAccounts: Readonly<Record<string, ContraAccount>>): string {
  const account = item.contraCurrency === null ? undefined : contraAccounts[item.contraCurrency];
  return item.takesCompanyContra && account !== undefined
    ? `${item.body.slice(0, -1)},"contraAccount":${JSON.stringify(account)}}`
    : item.body;
}

/** What version 2 of the Export API shows of an item (P1.9, P13). */
export function itemTextV2(item: StoredItem): string {
  const whole = objectOf(parse(item.body));
  // Nullable in version 3 only.
  const absent = whole['vendor'] === null ? ['contraAccount', 'vendor'] : ['contraAccount'];
  const team = objectOf(whole['team']);
  const lines = listOf(whole['accountingEntryLines']).map(lineV2);
  const teamCode = team['code'] === undefined ? {} : { teamCode: team['code'] };
  const shown = { subType: null, ...without(whole, absent), ...teamCode };
  return textOf({ ...shown, accountingEntryLines: lines });
}

function lineV2(line: unknown): unknown {
  if (!isObject(line) || !isObject(line['tax'])) {
    return line;
  }
  return { ...line, tax: without(line['tax'], ['ingoingTaxAccount', 'outgoingTaxAccount']) };
}

function storedItem(item: JsonObject, companyId: string, index: number): StoredItem {
  const id = item['accountingEntryId'];
  if (typeof id !== 'string' || !isUuid(id)) {
    throw invalid(`item ${index.toString()}: accountingEntryId is not a UUID`);
  }
  const shows = typeof item['type'] === 'string' && showsContraAccount(item['type']);
  const currency = objectOf(objectOf(item['amount'])['inWalletCurrency'])['currency'];
  return {
    id: id.toLowerCase(),
    companyId,
    body: textOf(item),
    contraCurrency: shows && typeof currency === 'string' ? currency : null,
    takesCompanyContra: shows && item['contraAccount'] === undefined,
  };
}

function completed(item: JsonObject, companyId: string, { now, site }: Surroundings): JsonObject {
  const { accountingEntryId: id = randomUUID(), additionalInformation = {} } = item;
  const address = `${site}/?entry=${String(id)}`;
  return {
    type: 'card_purchase',
    date: wireTime(now),
    companyId,
    _links: { web: { exportItem: address }, mobile: { exportItem: address }, api: { exportItem: address } },
    // Version 3 leaves it out where there is none (P13).
    ...(item['subType'] === null ? without(item, ['subType']) : item),
    accountingEntryId: id,
    additionalInformation: isObject(additionalInformation)
      ? { reconciliationId: randomUUID(), ...additionalInformation }
      : additionalInformation,
    ...(Array.isArray(item['accountingEntryLines'])
      ? { accountingEntryLines: item['accountingEntryLines'].map(completedLine) }
      : {}),
  };
}

function completedLine(line: unknown): unknown {
  return isObject(line) ? { accountingEntryLineId: randomUUID(), ...line } : line;
}

function parseExactly(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw invalid(`the body is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

function textOf(value: JsonObject): string {
  return stringify(value) ?? '{}';
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function invalid(message: string): ApiError {
  return new ApiError(400, 'VALIDATION_FAILED', message);
}
