// JSON-RPC of Tryton over HTTP: sessions, errors, and what JSON cannot say.
import { z } from 'zod';
import type { JsonValue } from '../../../kernel/json.js';
import { cutText } from '../../../kernel/text.js';
import type { CallScope, ErpCall } from '../erp-call.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { ErpHttp, ErpHttpOptions, ErpRequest, WriteResult } from '../kit/erp-http.js';
import { countRows } from '../kit/lists-in-memory.js';

const PAGE_ROWS = 1_000;
const MAX_MESSAGE_LENGTH = 500;

const sessionSchema = z.object({ result: z.tuple([z.int(), z.string().min(1)]) });
/** Tryton's own exceptions come as their class's name and what they say; any other as a text and its stack. */
const errorSchema = z.union([
  z.tuple([z.literal('UserError'), z.tuple([z.string(), z.string()]).rest(z.unknown())]),
  z.tuple([z.literal('UserWarning'), z.tuple([z.string(), z.string()]).rest(z.unknown())]),
  z.tuple([z.literal('ConcurrencyException'), z.unknown()]),
  z.array(z.unknown()),
]);
// What has neither comes from something in between, and says of no request that it was carried out.
const responseSchema = z
  .object({ result: z.unknown().optional(), error: errorSchema.optional() })
  .refine((response) => 'result' in response || response.error !== undefined);
type RpcResponse = z.output<typeof responseSchema>;

export interface TrytonAccess {
  readonly address: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/** A search domain: clauses `[field, operator, value]`, all of which hold. */
export type Domain = readonly JsonValue[];

export class TrytonRpc {
  private readonly http: ErpHttp;
  private session: { readonly userId: number; readonly header: string } | undefined;

  /** @param open as `ErpContext.http` */
  constructor(
    private readonly access: TrytonAccess,
    open: (options: ErpHttpOptions) => ErpHttp,
  ) {
    this.http = open({
      baseUrl: access.address,
      name: 'Tryton',
      headers: () => (this.session === undefined ? {} : { authorization: this.session.header }),
    });
  }

  /** @throws ErpUnavailable, also when Tryton refuses the request */
  async read<Schema extends z.ZodType>(
    scope: CallScope,
    schema: Schema,
    method: string,
    params: readonly JsonValue[],
  ): Promise<z.output<Schema>> {
    const request = this.request(method, params);
    const send = () => this.http.read(scope, responseSchema, request);
    await this.ensureSession(scope);
    const response = await send().catch(async (error: unknown) => {
      if (!(error instanceof ErpUnavailable) || error.failure.kind !== 'authentication') {
        throw error;
      }
      await this.renewSession(scope);
      return send();
    });
    const parsed = schema.safeParse(response?.error === undefined ? response?.result : undefined);
    if (!parsed.success) {
      const message = response?.error === undefined ? 'the response has an unknown format' : messageOf(response.error);
      throw new ErpUnavailable({ kind: 'server-error', message: `Tryton, ${method}: ${message}` });
    }
    return parsed.data;
  }

  /**
   * Reads all records of a model that match, by ascending id, inactive ones included.
   * @param schema of a record; what it names is what is read. A name with a dot at its end leads to other records.
   * @throws ErpUnavailable
   */
  async readAll<Row extends { readonly id: number }>(
    scope: CallScope | ErpCall,
    model: string,
    schema: z.ZodType<Row>,
    domain: Domain,
  ): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (;;) {
      const page = await this.readPage(scope, model, schema, [...domain, ['id', '>', rows.at(-1)?.id ?? 0]]);
      countRows(page);
      rows.push(...page);
      if (page.length < PAGE_ROWS) {
        return rows;
      }
    }
  }

  /** The first records that match, by ascending id. @throws ErpUnavailable */
  async readPage<Row>(
    scope: CallScope | ErpCall,
    model: string,
    schema: z.ZodType<Row>,
    domain: Domain,
    limit = PAGE_ROWS,
  ): Promise<readonly Row[]> {
    const context = { ...contextOf(scope), active_test: false };
    const params = [domain, 0, limit, [['id', 'ASC']], fieldsOf(schema), context];
    return this.read(scope, z.array(schema), `model.${model}.search_read`, params);
  }

  /**
   * Sends a write once. What Tryton refuses has been rolled back; an error of another kind may have come after
   * the effect.
   * @throws what `assertOwner` throws, the signal's reason
   */
  async write<Schema extends z.ZodType>(
    call: ErpCall,
    schema: Schema,
    method: string,
    params: readonly JsonValue[],
  ): Promise<WriteResult<z.output<Schema>>> {
    const request = this.request(method, [...params, contextOf(call)]);
    let result: WriteResult<RpcResponse>;
    try {
      await this.ensureSession(call);
      result = await this.http.write(call, responseSchema, request);
      // Without a session, or with one that is too old, nothing was done.
      if (result.kind === 'not-sent' && result.failure.kind === 'authentication') {
        await this.renewSession(call);
        result = await this.http.write(call, responseSchema, request);
      }
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { kind: 'not-sent', failure: error.failure };
      }
      throw error;
    }
    return result.kind === 'responded' ? meaningOf(schema, method, result.value) : result;
  }

  /** Of the server, which says it without a sign-in. @throws ErpUnavailable */
  async version(scope: CallScope): Promise<string> {
    const body = { id: 1, method: 'common.server.version', params: [] };
    const response = await this.http.read(scope, z.object({ result: z.string() }), { method: 'POST', path: '/', body });
    if (response === undefined) {
      throw new ErpUnavailable({ kind: 'server-error', message: 'Tryton does not say its version' });
    }
    return response.result;
  }

  /** @returns id of the user that Tryton knows the connector as */
  async userId(scope: CallScope): Promise<number> {
    await this.ensureSession(scope);
    return this.session?.userId ?? 0;
  }

  private request(method: string, params: readonly JsonValue[]): ErpRequest {
    const path = `/${encodeURIComponent(this.access.database)}/`;
    return { method: 'POST', path, body: { id: 1, method, params } };
  }

  private async ensureSession(scope: CallScope): Promise<void> {
    if (this.session === undefined) {
      await this.renewSession(scope);
    }
  }

  /** Checking a password takes Tryton half a second, so that a session is kept. */
  private async renewSession(scope: CallScope): Promise<void> {
    const { user, password } = this.access;
    this.session = undefined;
    const request = this.request('common.db.login', [user, { password }, 'en']);
    const response = await this.http.read(scope, sessionSchema, request);
    if (response === undefined) {
      throw new ErpUnavailable({ kind: 'server-error', message: 'Tryton has no such database' });
    }
    const [userId, key] = response.result;
    const credentials = Buffer.from(`${user}:${userId.toString()}:${key}`).toString('base64');
    this.session = { userId, header: `Session ${credentials}` };
  }
}

/** The names in a schema of records, those of records behind a name after its dot. */
function fieldsOf(schema: z.core.$ZodType): readonly string[] {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; element?: z.core.$ZodType; shape?: object } };
  const inner = def.innerType ?? def.element;
  if (inner !== undefined) {
    return fieldsOf(inner);
  }
  return Object.entries((def.shape ?? {}) as Readonly<Record<string, z.core.$ZodType>>).flatMap(([name, value]) =>
    name.endsWith('.') ? fieldsOf(value).map((field) => `${name}${field}`) : [name],
  );
}

function contextOf(scope: CallScope | ErpCall): Readonly<Record<string, JsonValue>> {
  return 'company' in scope ? { language: 'en', company: Number(scope.company) } : { language: 'en' };
}

function meaningOf<Schema extends z.ZodType>(
  schema: Schema,
  method: string,
  { result, error }: RpcResponse,
): WriteResult<z.output<Schema>> {
  if (error === undefined) {
    const parsed = schema.safeParse(result ?? null);
    if (parsed.success) {
      return { kind: 'responded', value: parsed.data };
    }
  } else if (error[0] === 'UserError' || error[0] === 'UserWarning') {
    return { kind: 'refused', status: 400, message: messageOf(error) };
  } else if (error[0] === 'ConcurrencyException') {
    return { kind: 'not-sent', failure: { kind: 'server-error', message: messageOf(error) } };
  }
  const message = error === undefined ? 'the response has an unknown format' : messageOf(error);
  return { kind: 'unknown', failure: { kind: 'server-error', message: `Tryton, ${method}: ${message}` } };
}

/** Tryton's sentence; of an error that is not for people only that there was one. */
function messageOf(error: z.output<typeof errorSchema>): string {
  const [kind, about] = error;
  if (kind === 'UserError' && Array.isArray(about)) {
    return cutText(about.slice(0, 2).filter(Boolean).join(' '), MAX_MESSAGE_LENGTH);
  }
  if (kind === 'UserWarning' && Array.isArray(about)) {
    return cutText(about.slice(1, 3).filter(Boolean).join(' '), MAX_MESSAGE_LENGTH);
  }
  return kind === 'ConcurrencyException' ? 'the record was changed meanwhile' : 'the request failed in Tryton';
}
