// Examples of requests and responses, made from the schemas: so they are never of another shape than the schema says.
import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = Readonly<Record<string, Schema>>;

/** What of JSON Schema the decorators of this API write. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Schemas;
}

interface Body {
  readonly content?: Readonly<Record<string, { schema?: Schema; example?: unknown; examples?: unknown }>>;
}

const JSON_TYPE = 'application/json';

const UUID = '0195f3a4-7c1e-7d44-9a58-2f6f0f3b1c27';
const HEX_DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-03-31',
  'date-time': '2026-03-31T09:30:00.000Z',
  uri: 'https://app.example.com/exports',
  uuid: UUID,
};

/** Of texts whose schema has no example of its own, by the name of the property. */
const BY_NAME: Readonly<Record<string, string>> = {
  accountCode: '6420',
  accountName: 'Software',
  amount: '-119.00',
  amountMinor: '-11900',
  by: 'Ada Example',
  code: '6420',
  companyName: 'Example GmbH',
  connectedBy: 'Ada Example',
  country: 'DE',
  credit: '1360',
  creditMinor: '11900',
  currency: 'EUR',
  debit: '6420',
  debitMinor: '11900',
  description: 'Licenses in March',
  detail: 'Account 6420 (Software) is not known.',
  digest: HEX_DIGEST,
  documentNumber: '2026-0131',
  employee: 'E-17',
  erpCompanyId: '1',
  externalId: 'account-6420',
  fileName: 'entries-2026-03-31.csv',
  functionalCurrency: 'EUR',
  hash: HEX_DIGEST,
  id: '17',
  jobIds: UUID,
  language: 'de',
  madeBy: 'Ada Example',
  month: '2026-03',
  name: 'Software',
  person: 'Ada Example',
  rate: '19',
  reason: 'Account 6420 (Software) is not known.',
  requestedBy: 'Ada Example',
  ruleId: '17',
  setting: 'Wallet (EUR)',
  sha256: HEX_DIGEST,
  signedBy: 'Ada Example',
  supplier: 'Example Software Ltd.',
  text: 'Account 6420 (Software) is not known.',
  timeZone: 'Europe/Berlin',
  uploadedBy: 'Ada Example',
};

/**
 * Bodies and successful responses in JSON get an example where they have none. The document that our own client is generated from goes without them: its
 * generator writes them into comments.
 *
 * @param document changed in place
 */
export function addExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const routes of Object.values(document.paths)) {
    for (const operation of [routes.get, routes.post, routes.put, routes.delete]) {
      if (operation === undefined) continue;
      const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      for (const body of [operation.requestBody, ...responses.map(([, response]) => response)]) {
        addExample((body ?? {}) as Body, schemas);
      }
    }
  }
  return document;
}

function addExample({ content }: Body, schemas: Schemas): void {
  const json = content?.[JSON_TYPE];
  if (json?.schema !== undefined && json.examples === undefined) {
    json.example = new Examples(schemas).of(json.schema, '');
  }
}

class Examples {
  private readonly open: string[] = [];

  constructor(private readonly schemas: Schemas) {}

  /** @param name of the property, empty for others */
  of(schema: Schema, name: string): unknown {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref !== undefined) return this.named(schema.$ref, name);
    if (schema.allOf !== undefined) return this.together(schema, name);
    const [first] = schema.enum ?? [];
    if (first !== undefined) return first;
    if (schema.default !== undefined) return schema.default;
    return schema.oneOf?.[0] === undefined ? this.ofType(schema, name) : this.of(schema.oneOf[0], name);
  }

  private named(reference: string, name: string): unknown {
    const schema = this.schemas[reference.slice(reference.lastIndexOf('/') + 1)];
    if (schema === undefined || this.open.includes(reference)) return null;
    this.open.push(reference);
    const example = this.of(schema, name);
    this.open.pop();
    return example;
  }

  private together({ allOf = [] }: Schema, name: string): unknown {
    const parts = allOf.map((part) => this.of(part, name));
    const [only] = parts;
    return parts.length === 1 ? only : Object.assign({}, ...parts);
  }

  private ofType(schema: Schema, name: string): unknown {
    switch (schema.type) {
      case 'array':
        return schema.items === undefined ? [] : [this.of(schema.items, name)];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return Math.max(1, schema.minimum ?? 1);
      case 'string':
        return text(schema, name);
      default:
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([property, inner]) => [property, this.of(inner, property)]),
        );
    }
  }
}

/** A text that may be missing, as only its description says. */
function text({ format, nullable, minLength = 0 }: Schema, name: string): string | null {
  const known = BY_FORMAT[format ?? ''] ?? BY_NAME[name];
  return known ?? (nullable === true ? null : 'text'.padEnd(minLength, 'x'));
}
