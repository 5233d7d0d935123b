import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { createTokens, insertInstallation, startConnectorApp } from '../../../support/connector-app.js';
import type { ConnectionCache } from '../../../../src/connector/erp/kit/cached-master-data.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';

/** A caller of one installation: one token per role. */
export interface MappingTenant {
  readonly installationId: string;
  readonly tokens: Readonly<Record<Role, string>>;
}

export interface Sent {
  readonly as?: Role;
  /** The version that was edited. */
  readonly seen?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string | Buffer;
}

export interface MappingResponse {
  readonly status: number;
  readonly type: string;
  readonly etag: string | undefined;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const SETTINGS = {
  accounts: { wallets: { EUR: '1935' }, companyBankByCurrency: {}, fallbackAccounts: {} },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
};

/** The API of the connector on a fresh database, before an ERP in memory. */
export class MappingHarness {
  private constructor(
    readonly admin: pg.Client,
    readonly erp: FakeErp,
    readonly app: NestFastifyApplication,
    readonly close: () => Promise<void>,
  ) {}

  static async start(kept?: ConnectionCache): Promise<MappingHarness> {
    const erp = new FakeErp();
    const { app, admin, close } = await startConnectorApp({}, undefined, [
      { provide: ErpConnections, useFactory: () => new OneErp(erp, undefined, {}, kept) },
    ]);
    return new MappingHarness(admin, erp, app, close);
  }

  /** A provider of the API. */
  get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  /** An active installation; with `settings` also its first version. */
  async addTenant({ linked = true, settings = true } = {}): Promise<MappingTenant> {
    const { installationId } = await insertInstallation(this.admin, linked ? {} : { erpCompanyId: null });
    const tenant = { installationId, tokens: await createTokens(this, installationId) };
    if (settings) {
      await this.send(tenant, 'PUT', '/settings', { as: 'admin', seen: 0, body: SETTINGS });
    }
    return tenant;
  }

  async send(
    tenant: MappingTenant,
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    { as = 'bookkeeper', seen, headers = {}, body }: Sent = {},
  ): Promise<MappingResponse> {
    const answer = await this.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${tenant.tokens[as]}`,
        ...(seen !== undefined && { 'if-match': `"${seen.toString()}"` }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
    const text = answer.body;
    const type = String(answer.headers['content-type']);
    const etag = answer.headers.etag;
    return { status: answer.statusCode, type, etag, text, body: text.startsWith('{') ? answer.json() : {} };
  }

  /** @returns the answer's problems as [place, code] */
  static problemsOf({ body }: MappingResponse): readonly (readonly [string, unknown])[] {
    const errors = (body['errors'] ?? []) as readonly Readonly<Record<string, unknown>>[];
    return errors.map((error) => [
      'pointer' in error ? String(error['pointer']) : `${String(error['line'])} ${String(error['column'])}`,
      error['code'],
    ]);
  }
}

/** A rule as a request has it. */
export function accountRule(source: string, target: string, more: object = {}): object {
  return { subject: 'account', source, target, ...more };
}
