// The platform under judgment, wherever it runs: what the rows of the suite call it with. When it is a simulator they can also
// make companies and credentials of their own, move its clock and look at its notifications.
import { randomUUID } from 'node:crypto';

export interface PlatformAddress {
  /** Without trailing slash. */
  readonly url: string;
  /** Access token or API key of one company. */
  readonly token: string;
  /** Accounting entries that wait for an export and may be exported again and again. */
  readonly entryIds: readonly string[];
  /** Set when the platform's authorization server knows an application of ours. */
  readonly application?: Application;
  /** Token of the company with few scopes. */
  readonly narrowToken?: string;
  /** Set when the platform can reach us: the port to listen at, and the address under which that is seen from outside. */
  readonly listening?: { readonly port: number; readonly publicUrl: string };
}

/** An application as the authorization server knows it. */
export interface Application {
  /** Of the authorization server, without trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** What a person has approved: a code with its verifier, or a refresh token. Either can be used once. */
  readonly approved?: { readonly code: string; readonly verifier: string } | { readonly refreshToken: string };
}

export interface PlatformResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when there is none or it is no JSON. */
  readonly body: unknown;
}

/** One request and its answer, for checks over the whole run. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: unknown;
  readonly status: number;
  readonly contentType: string | null;
  readonly response: unknown;
}

export interface CallOptions {
  readonly body?: unknown;
  /** Body as it goes over the wire, instead of `body` as JSON. */
  readonly text?: string;
  /** Media type of the body. */
  readonly type?: string;
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
export function refusal({ status, body }: PlatformResponse): readonly unknown[] {
  return [status, at(body, 'type')];
}

export class Platform {
  private cleanups: (() => Promise<unknown>)[] = [];

  /**
   * @param simulator its control, when the platform is one
   * @param exchanges where every call is added
   * @param company of the credential; unset: it is asked for
   */
  constructor(
    readonly address: PlatformAddress,
    private readonly simulator?: Sandbox,
    readonly exchanges: Exchange[] = [],
    private company?: string,
  ) {}

  get isSandbox(): boolean {
    return this.simulator !== undefined;
  }

  /** @throws Error for a platform that is no simulator */
  get sandbox(): Sandbox {
    if (this.simulator === undefined) {
      throw new Error('this fact needs a simulator');
    }
    return this.simulator;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<PlatformResponse> {
    const { body, authorization = `Bearer ${this.address.token}` } = options;
    const { text = body === undefined ? undefined : JSON.stringify(body) } = options;
    const { type = 'application/json;charset=UTF-8' } = options;
    const response = await fetch(`${this.address.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(text === undefined ? {} : { 'content-type': type }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = jsonOf(await response.text());
    const { status, headers } = response;
    const [plain = '', query] = path.split('?', 2);
    const contentType = headers.get('content-type');
    const exchange = { method, path: plain, query: new URLSearchParams(query), request: body };
    this.exchanges.push({ ...exchange, status, contentType, response: answer });
    return { status, headers, body: answer };
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
      this.cleanups.unshift(() => this.call('DELETE', `${removal}/${id}`));
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
    this.cleanups.unshift(() => this.sendJobEvent(jobId, 'failed'));
    return jobId;
  }

  async sendJobEvent(jobId: string, event: string, extra: object = {}): Promise<PlatformResponse> {
    return this.call('POST', '/v3/export-job-events', { body: { jobId, event, ...extra } });
  }

  /** Removes what a row has created, newest first. */
  async cleanUp(): Promise<void> {
    for (const step of this.cleanups.splice(0)) {
      await step();
    }
  }
}

export interface CustomerOptions {
  /** Fields of the company; a wallet with a contra account for EUR by default. */
  readonly company?: object;
  /** Scopes of its API key; all by default. */
  readonly scopes?: readonly string[];
  /** Version 3 items that wait for an export. */
  readonly items?: readonly object[];
}

/** What only a simulator can do. */
export class Sandbox {
  constructor(
    readonly url: string,
    private readonly exchanges: Exchange[],
  ) {}

  /**
   * A call of the control.
   * @throws Error when it does not succeed
   */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}/control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} /control${path}: ${response.status} ${text}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  }

  /** A customer of the platform with an API key. */
  async customer({ company = {}, scopes, items = [] }: CustomerOptions = {}): Promise<Platform> {
    const fields = { name: 'Conformance ApS', contraAccounts: { EUR: { code: '1010' } }, ...company };
    const companyId = String(at(await this.control('POST', '/companies', fields), 'id'));
    const entryIds = items.length === 0 ? [] : await this.addItems(companyId, items);
    return this.withKey(companyId, scopes, entryIds);
  }

  /** The same company with another API key. */
  async withKey(
    companyId: string,
    scopes: readonly string[] | undefined,
    entryIds: readonly string[] = [],
  ): Promise<Platform> {
    const key = await this.control('POST', '/api-keys', {
      companyId,
      ...(scopes === undefined ? {} : { scopes }),
    });
    const address = { url: this.url, token: String(at(key, 'apiKey')), entryIds };
    return new Platform(address, this, this.exchanges, companyId);
  }

  /** A key of every company of an organization. */
  async withOrganizationKey(organizationId: string): Promise<Platform> {
    const key = await this.control('POST', '/api-keys', { organizationId });
    return new Platform({ url: this.url, token: String(at(key, 'apiKey')), entryIds: [] }, this, this.exchanges);
  }

  async addItems(companyId: string, items: readonly object[]): Promise<readonly string[]> {
    const added = await this.control('POST', `/companies/${companyId}/items`, items);
    const ids = at(added, 'accountingEntryIds');
    return Array.isArray(ids) ? ids.map(String) : [];
  }

  /** Whether an item is refused as none that the platform sends; otherwise it is added. */
  async refusesItem(companyId: string, item: object): Promise<boolean> {
    const response = await fetch(`${this.url}/control/companies/${companyId}/items?documented_only=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([item]),
    });
    const answer: unknown = await response.json();
    if (!response.ok && at(answer, 'type') !== 'VALIDATION_FAILED') {
      throw new Error(`adding an item: ${response.status} ${JSON.stringify(answer)}`);
    }
    return !response.ok;
  }

  /** @returns id of the job */
  async triggerExport(companyId: string): Promise<string> {
    return String(at(await this.control('POST', `/companies/${companyId}/export`, {}), 'id'));
  }

  async advance(seconds: number): Promise<void> {
    await this.control('POST', '/clock', { advanceSeconds: seconds });
  }
}

/** An unused text. */
export function fresh(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/** An id nothing has. */
export function unknownId(): string {
  return randomUUID();
}

/** Method and path with each id written as `*`. */
export function operationOf({ method, path }: Pick<Exchange, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*')}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
