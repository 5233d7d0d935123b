// Tryton past the adapter: what a person does in its client, and what an auditor reads.
import { ADMIN, type TrytonServer } from './tryton-server.js';

export type Row = Readonly<Record<string, unknown>> & { readonly id: number };

export class TrytonClient {
  private context: Readonly<Record<string, unknown>> = { language: 'en' };

  private constructor(
    private readonly url: string,
    private readonly session: string,
  ) {}

  static async login({ url, database }: TrytonServer): Promise<TrytonClient> {
    const address = `${url}/${database}/`;
    const { user, password } = ADMIN;
    const [userId, key] = (await send(address, '', 'common.db.login', [user, { password }, 'en'])) as [number, string];
    const session = Buffer.from(`${user}:${userId.toString()}:${key}`).toString('base64');
    return new TrytonClient(address, `Session ${session}`);
  }

  useCompany(company: number): void {
    this.context = { ...this.context, company };
  }

  /** @throws Error with what Tryton says */
  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return send(this.url, this.session, `model.${method}`, [...params, this.context]);
  }

  async create(model: string, ...values: readonly object[]): Promise<readonly number[]> {
    return (await this.call(`${model}.create`, values)) as readonly number[];
  }

  async createOne(model: string, values: object): Promise<number> {
    const [id] = await this.create(model, values);
    if (id === undefined) {
      throw new Error(`Tryton has created no ${model}`);
    }
    return id;
  }

  async search(model: string, domain: readonly unknown[], fields: readonly string[]): Promise<readonly Row[]> {
    return (await this.call(
      `${model}.search_read`,
      domain,
      0,
      null,
      [['id', 'ASC']],
      ['id', ...fields],
    )) as readonly Row[];
  }
}

export function decimalOf(text: string): object {
  return { __class__: 'Decimal', decimal: text };
}

export function dateOf(day: string): object {
  const [year, month, date] = day.split('-').map(Number);
  return { __class__: 'date', year, month, day: date };
}

async function send(url: string, session: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(session !== '' && { authorization: session }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ id: 1, method, params }) });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`Tryton, ${method}: ${response.status.toString()} ${text.slice(0, 500)}`);
  }
  const { result, error } = JSON.parse(text) as { readonly result?: unknown; readonly error?: unknown };
  if (error !== undefined) {
    throw new Error(`Tryton, ${method}: ${JSON.stringify(error).slice(0, 2_000)}`);
  }
  return result;
}
