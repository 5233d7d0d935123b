// Platform, authorization server and list of ERP companies in one small HTTP server whose every answer a test can replace.
// It keeps what the connector sends it, and knows whose credential it is given.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respondingWith, type Behavior } from '../servers/misbehaving-server.js';

export const ALL_SCOPES = 'export-jobs:read export-jobs:write export-items:read companies:read';

export interface PlatformCompanyData {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly registrationNumber?: string;
}

export interface SubscriptionData {
  readonly id: string;
  readonly endpointUrl: string;
  readonly eventTypes: readonly string[];
  readonly status: string;
  readonly customHeaders?: Readonly<Record<string, string>>;
  secret: string;
}

export interface SeenRequest {
  /** `<method> <path>`. */
  readonly call: string;
  readonly authorization: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

const METADATA = '/.well-known/oauth-authorization-server';

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

export class PlatformServer {
  readonly seen: SeenRequest[] = [];
  readonly companies: PlatformCompanyData[] = [];
  readonly subscriptions = new Map<string, SubscriptionData>();
  readonly erpCompanies: object[] = [];
  /** Authorization headers that are accepted, with the resource each is for. */
  readonly credentials = new Map<string, string>();
  /** What the next authorization code is for. */
  resource = '';
  scope: string | undefined = ALL_SCOPES;
  installationStatus = 'AUTHORIZED';
  /** Who gives the next authorization codes. */
  person: { readonly sub: string; readonly username?: string; readonly email?: string } = {
    sub: 'person-1',
    username: 'Ada Admin',
  };
  /** What the authorization server publishes of itself; unset: nothing. Asked for before a code is used, and not among `seen`. */
  metadata: object | undefined;
  /** Whether a company says whose it is: the platform need not. */
  showsOrganizations = true;
  private replaced = new Map<string, Behavior[]>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<PlatformServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const platform = new PlatformServer(server, `http://127.0.0.1:${port.toString()}`);
    server.on('request', (request, response) => {
      void read(request).then((body) => {
        platform.respond(request, response, body);
      });
    });
    return platform;
  }

  /** The next calls `<method> <path>` are answered so, one after the other; then as usual again. */
  next(call: string, ...behaviors: readonly Behavior[]): void {
    this.replaced.set(call, [...behaviors]);
  }

  /** Back to a platform that does what it should, with nothing seen. */
  restore(): void {
    this.seen.length = 0;
    this.replaced = new Map();
    this.scope = ALL_SCOPES;
    this.installationStatus = 'AUTHORIZED';
    this.metadata = undefined;
    this.showsOrganizations = true;
  }

  calls(): readonly string[] {
    return this.seen.map(({ call }) => call);
  }

  addCompany(changes: Partial<PlatformCompanyData> = {}): PlatformCompanyData {
    const company = { id: randomUUID(), organizationId: randomUUID(), name: 'Example ApS', ...changes };
    this.companies.push(company);
    return company;
  }

  /** A company of the accounting system. */
  addErpCompany(id: string, registrationNumber: string): void {
    const more = { functionalCurrency: 'EUR', timeZone: 'Europe/Copenhagen' };
    this.erpCompanies.push({ id, name: `Books of ${id}`, registrationNumber, ...more });
  }

  /** A key that the platform takes in one form only. */
  addApiKey(resource: string, form: 'basic' | 'bearer'): string {
    const key = `key_${randomBytes(12).toString('hex')}`;
    const header = form === 'bearer' ? `Bearer ${key}` : `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    this.credentials.set(header, resource);
    return key;
  }

  addSubscription(endpointUrl: string): SubscriptionData {
    const added = {
      id: randomUUID(),
      endpointUrl,
      eventTypes: ['v1.export-job.created'],
      status: 'ACTIVE',
      secret: newSecret(),
    };
    this.subscriptions.set(added.id, added);
    return added;
  }

  /** Tokens as the token endpoint gives them. */
  grant(): Readonly<Record<string, unknown>> {
    const access = `access-${randomUUID()}`;
    this.credentials.set(`Bearer ${access}`, this.resource);
    return {
      access_token: access,
      refresh_token: `refresh-${randomUUID()}`,
      token_type: 'Bearer',
      expires_in: 900,
      scope: this.scope,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private respond(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const call = `${request.method ?? ''} ${pathname}`;
    const authorization = request.headers.authorization ?? '';
    if (pathname === METADATA) {
      respondingWith(this.metadata === undefined ? 404 : 200, this.metadata ?? {})(response);
      return;
    }
    this.seen.push({ call, authorization, query: searchParams, body });
    const replaced = this.replaced.get(call)?.shift();
    const behavior = replaced ?? this.defaultResponse(call, authorization, searchParams, body);
    behavior(response);
  }

  private defaultResponse(call: string, authorization: string, query: URLSearchParams, body: string): Behavior {
    if (call === 'POST /oauth/token') {
      return respondingWith(200, this.grant());
    }
    if (call === 'POST /oauth/token/introspect') {
      return respondingWith(200, { active: true, ...this.person });
    }
    if (call === 'GET /companies') {
      return respondingWith(200, { data: this.erpCompanies, nextCursor: null });
    }
    const resource = this.credentials.get(authorization);
    return resource === undefined
      ? respondingWith(401, { type: 'UNAUTHORIZED', message: 'no valid credential' })
      : (this.installationCall(call, resource, authorization) ??
          this.subscriptionCall(call, body) ??
          this.companyCall(call, query));
  }

  private installationCall(call: string, resource: string, authorization: string): Behavior | undefined {
    const installation = () => respondingWith(200, { id: randomUUID(), resource, status: this.installationStatus });
    switch (call) {
      case 'GET /v1/installations/me':
        return installation();
      case 'POST /v1/installations/me':
        return installation();
      case 'PUT /v1/installations/me':
      case 'POST /v1/installations/me:activate':
      case 'PUT /v1/installations/completions':
        this.installationStatus = 'ACTIVATED';
        return installation();
      case 'DELETE /v1/installations/me':
        this.credentials.delete(authorization);
        return respondingWith(204, '');
      case 'GET /v1/introspect':
        return respondingWith(200, {
          data: { authMethod: 'API_KEY', scope: this.scope ?? '', subjectURN: resource },
        });
      default:
        return undefined;
    }
  }

  private subscriptionCall(call: string, body: string): Behavior | undefined {
    if (call === 'GET /v1/subscriptions') {
      return respondingWith(200, {
        data: [...this.subscriptions.values()].map(shown),
        pagination: LAST_PAGE,
      });
    }
    if (call === 'POST /v1/subscriptions') {
      const created = { ...this.addSubscription(''), ...(JSON.parse(body) as Partial<SubscriptionData>) };
      this.subscriptions.set(created.id, created);
      return respondingWith(200, { data: shown(created) });
    }
    const [, method, id = '', secret] =
      /^(GET|PUT|DELETE) \/v1\/subscriptions\/([0-9a-f-]+)(\/secret)?$/.exec(call) ?? [];
    const known = this.subscriptions.get(id);
    if (method === undefined) {
      return undefined;
    }
    if (known === undefined) {
      return respondingWith(404, { type: 'NOT_FOUND', message: 'no such subscription' });
    }
    if (method === 'DELETE') {
      this.subscriptions.delete(id);
      return respondingWith(204, '');
    }
    if (secret !== undefined) {
      return respondingWith(200, { data: { secretKey: known.secret } });
    }
    const changed = { ...known, ...(JSON.parse(body) as Partial<SubscriptionData>) };
    this.subscriptions.set(id, changed);
    return respondingWith(200, { data: shown(changed) });
  }

  private companyCall(call: string, query: URLSearchParams): Behavior {
    const shownCompany = (one: PlatformCompanyData) =>
      this.showsOrganizations ? one : { ...one, organizationId: undefined };
    if (call === 'GET /v1/companies') {
      const organizationId = query.get('organization_id');
      const data = this.companies.filter((one) => one.organizationId === organizationId).map(shownCompany);
      return respondingWith(200, { data, pagination: LAST_PAGE });
    }
    const company = this.companies.find(({ id }) => call === `GET /v1/companies/${id}`);
    return company === undefined
      ? respondingWith(404, { type: 'NOT_FOUND', message: 'nothing here' })
      : respondingWith(200, { data: shownCompany(company) });
  }
}

const LAST_PAGE = {
  hasNextPage: false,
  hasPreviousPage: false,
  currentRequestPagination: { parameters: {} },
};

/** A subscription as it is listed: without its secret. */
function shown(subscription: SubscriptionData): object {
  return { ...subscription, secret: undefined };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
