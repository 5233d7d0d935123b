// The platform under judgement, wherever it runs: what the rows of the suite call it with.
import { randomUUID } from 'node:crypto';

export interface PlatformAddress {
  /** Without trailing slash. */
  readonly url: string;
  /** Access token or API key of one company. */
  readonly token: string;
  /** Accounting entries that wait for an export and may be exported again and again. */
  readonly entryIds: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when there is none or it is no JSON. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly body?: unknown;
  /** Instead of the token as Bearer; null sends none. */
  readonly authorization?: string | null;
}

/** Reads a value deep in an answer. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** Status and error type: what most rows look at. */
export function refusal({ status, body }: Answer): readonly unknown[] {
  return [status, at(body, 'type')];
}

export class Platform {
  /** Every operation called so far, as method and path with each id written as `*`. */
  readonly called = new Set<string>();
  private company: string | undefined;
  private tidying: (() => Promise<unknown>)[] = [];

  constructor(readonly address: PlatformAddress) {}

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { body, authorization = `Bearer ${this.address.token}` } = options;
    this.called.add(`${method} ${templateOf(path)}`);
    const response = await fetch(`${this.address.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: jsonOf(text) };
  }

  /**
   * Creates something that `tidyUp` removes.
   * @param removal path whose DELETE removes it, without the id; unset leaves it
   * @returns its id
   * @throws Error when the platform does not create it
   */
  async create(path: string, body: object, removal?: string): Promise<string> {
    const answer = await this.call('POST', path, { body });
    const id = at(answer.body, 'data', 'id');
    if (typeof id !== 'string') {
      throw new Error(`POST ${path} created nothing: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    if (removal !== undefined) {
      this.tidying.unshift(() => this.call('DELETE', `${removal}/${id}`));
    }
    return id;
  }

  /** The company of the credential. */
  async companyId(): Promise<string> {
    if (this.company === undefined) {
      const { body } = await this.call('GET', '/v1/companies?limit=1');
      const id = at(body, 'data', 0, 'id');
      if (typeof id !== 'string') {
        throw new Error(`the credential sees no company: ${JSON.stringify(body)}`);
      }
      this.company = id;
    }
    return this.company;
  }

  /** A fresh job of the given entries; `tidyUp` fails it when it still runs. */
  async newJob(): Promise<string> {
    const companyId = await this.companyId();
    const body = { companyId, accountingEntryIds: this.address.entryIds };
    const jobId = await this.create('/v3/export-jobs', body);
    this.tidying.unshift(() => this.tell(jobId, 'failed'));
    return jobId;
  }

  async tell(jobId: string, event: string, extra: object = {}): Promise<Answer> {
    return this.call('POST', '/v3/export-job-events', { body: { jobId, event, ...extra } });
  }

  /** Removes what a row has created, newest first. */
  async tidyUp(): Promise<void> {
    for (const step of this.tidying.splice(0)) {
      await step();
    }
  }
}

/** A text nobody has used yet. */
export function fresh(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/** An id nothing has. */
export function nobody(): string {
  return randomUUID();
}

function templateOf(path: string): string {
  return (path.split('?', 1)[0] ?? '').replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
