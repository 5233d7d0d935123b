// Another accounting system than the sandbox's ledger for the demo's first company (`npm start -- --erp <kind>`).
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigurationError } from '../../../foundation/config/load-config.js';
import { Permanent } from '../../../kernel/faults.js';
import { firstCustomer, type DemoCustomer } from './demo-customers.js';
import type { ProgramClient } from './program-client.js';

export interface DemoErp {
  /** As `GET /api/v1/erp-kinds` names it. */
  readonly kind: string;
  /** Of the connection, secrets among them. */
  readonly settings: object;
  /** Id of the company in the accounting system; undefined: the only one that the credentials open. */
  readonly companyId: string | undefined;
}

const connectionSchema = z.object({ kind: z.string() });
const stepsSchema = z.object({ steps: z.array(z.object({ step: z.string(), done: z.boolean() })) });
const testSchema = z.object({ companies: z.array(z.object({ id: z.string(), name: z.string() })) });

/**
 * @param file with the settings as a JSON object; undefined only for the kind `files`, whose settings the demo can write
 * @throws ConfigurationError that says what to give
 */
export function readDemoErp(kind: string, file: string | undefined, companyId: string | undefined): DemoErp {
  if (file !== undefined) {
    return { kind, settings: readSettings(file), companyId };
  }
  if (kind === 'files') {
    return { kind, settings: filesSettings(firstCustomer), companyId };
  }
  throw new ConfigurationError([
    `--erp ${kind} needs --erp-settings <file>: a JSON object with the settings of the connection, as GET /api/v1/erp-kinds describes them`,
  ]);
}

function readSettings(file: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'no JSON object';
    throw new ConfigurationError([`--erp-settings: ${file} cannot be read (${reason})`]);
  }
}

/**
 * Connects the installation and links its company, unless an earlier run has.
 * @throws Permanent when the credentials are refused, or open no company or several
 */
export async function connectErp(connector: ProgramClient, { kind, settings, companyId }: DemoErp): Promise<void> {
  if ((await connector.find('/api/v1/erp-connection', connectionSchema)) === undefined) {
    await connector.put('/api/v1/erp-connection', { json: { kind, settings } });
  }
  const { steps } = await connector.read('/api/v1/connection', stepsSchema);
  if (steps.some(({ step, done }) => step === 'erp-company' && !done)) {
    await connector.put('/api/v1/erp-company', { json: { erpCompanyId: companyId ?? (await findCompany(connector)) } });
  }
}

async function findCompany(connector: ProgramClient): Promise<string> {
  const path = '/api/v1/erp-connection/test';
  const { companies } = connector.parse(testSchema, await connector.post(path, {}), path);
  const [company] = companies;
  if (company === undefined || companies.length > 1) {
    const names = companies.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new Permanent(`the credentials open ${names || 'no company'}: name one with --erp-company <id>`);
  }
  return company.id;
}

/** What an administrator would paste: the lists that the demo enters in the ledger. */
function filesSettings({ company, lists }: DemoCustomer): object {
  const list = (name: string, columns: Readonly<Record<string, string>>) => {
    const rows = lists.find(([path]) => path === name)?.[1] ?? [];
    const lines = rows.map((row) =>
      Object.values(columns)
        .map((field) => cell(field, Reflect.get(row, field)))
        .join(';'),
    );
    return [Object.keys(columns).join(';'), ...lines].join('\n');
  };
  return {
    format: 'csv',
    companyName: company.name,
    registrationNumber: company.registrationNumber,
    functionalCurrency: company.functionalCurrency,
    timeZone: company.timeZone,
    accounts: list('accounts', { code: 'code', name: 'name', type: 'type', active: 'active' }),
    taxCodes: list('tax-codes', {
      code: 'code',
      name: 'name',
      rate: 'rate',
      'input account': 'inputAccountCode',
      'output account': 'outputAccountCode',
      deductible: 'deductible',
      active: 'active',
    }),
    dimensions: list('dimension-values', { dimension: 'dimensionCode', value: 'code', 'value name': 'name' }),
    vendors: list('vendors', {
      number: 'number',
      name: 'name',
      country: 'country',
      'payables account': 'payableAccountCode',
    }),
  };
}

const SHARES: ReadonlySet<string> = new Set(['rate', 'deductible']);

function cell(field: string, value: unknown): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value !== 'string') {
    return '';
  }
  return SHARES.has(field) ? percentOf(value) : `"${value}"`;
}

/** @param share decimal text below 1 with at most two digits */
function percentOf(share: string): string {
  return (share.split('.')[1] ?? '').padEnd(2, '0');
}
