import { expect } from '@jest/globals';
import { connected } from '../authorization.js';
import type { ConformanceRow } from '../conformance-row.js';
import { at, unknownId, refusal, type Platform } from '../platform.js';

const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

export const ACCESS_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'a request without a credential is answered 401',
    source: 'P0.3',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v1/introspect', { authorization: null })).status,
    expected: 401,
  },
  {
    fact: 'a request with an unknown credential is answered 401',
    source: 'P0.3',
    needs: 'read',
    observe: async (platform) =>
      (await platform.call('GET', '/v1/introspect', { authorization: 'Bearer nonsense' })).status,
    expected: 401,
  },
  {
    fact: 'a token is taken as Bearer',
    source: 'P0.3',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v1/introspect')).status,
    expected: 200,
  },
  {
    fact: 'an API key is taken as the user of Basic with an empty password, too',
    source: 'P0.3',
    needs: 'read',
    onlyFor: 'api-key',
    observe: async (platform) => {
      const authorization = basic(platform.address.token);
      return (await platform.call('GET', '/v1/introspect', { authorization })).status;
    },
    expected: 200,
  },
  {
    fact: 'introspection says what a credential is',
    source: 'P3.1, GET /v1/introspect',
    needs: 'read',
    observe: async (platform) => at((await platform.call('GET', '/v1/introspect')).body, 'data'),
    expected: expect.objectContaining({
      authMethod: expect.stringMatching(/^(OAUTH2|API_KEY)$/),
      clientId: expect.any(String),
      scope: expect.any(String),
    }),
  },
  {
    fact: 'an error is {type, message}',
    source: 'P0.4',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', `/v3/export-jobs/${unknownId()}`)).body,
    expected: { type: 'EXPORT_NOT_FOUND', message: expect.any(String) },
  },
  {
    fact: 'companies are listed with pagination beside data',
    source: 'P8',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v1/companies')).body,
    expected: {
      data: expect.arrayContaining([
        expect.objectContaining({
          id: expect.any(String),
          name: expect.any(String),
          address: expect.any(Object),
        }),
      ]),
      pagination: expect.objectContaining({
        currentRequestPagination: expect.objectContaining({ parameters: expect.any(Object) }),
        hasNextPage: expect.any(Boolean),
        hasPreviousPage: expect.any(Boolean),
      }),
    },
  },
  {
    fact: 'one company is read by its id',
    source: 'P8',
    needs: 'read',
    observe: async (platform) => {
      const companyId = await platform.companyId();
      return at((await platform.call('GET', `/v1/companies/${companyId}`)).body, 'data', 'id') === companyId;
    },
    expected: true,
  },
  {
    fact: 'an unknown company is answered 404',
    source: 'P8',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', `/v1/companies/${unknownId()}`)).status,
    expected: 404,
  },
  {
    fact: 'a company of another customer is answered 403',
    source: 'P8',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const [customer, other] = [await sandbox.customer(), await sandbox.customer()];
      return (await customer.call('GET', `/v1/companies/${await other.companyId()}`)).status;
    },
    expected: 403,
  },
  {
    fact: 'employees are searched by companyId in camel case',
    source: 'P0.1, P8',
    needs: 'read',
    observe: async (platform) => {
      const answer = await platform.call('GET', `/v2/employees?companyId=${await platform.companyId()}`);
      return [answer.status, Array.isArray(at(answer.body, 'data'))];
    },
    expected: [200, true],
  },
  {
    fact: 'an unknown employee is answered 403 or 404',
    source: 'P8',
    needs: 'read',
    observe: async (platform) =>
      [403, 404].includes((await platform.call('GET', `/v2/employees/${unknownId()}`)).status),
    expected: true,
  },
  {
    fact: 'the installation is a bare object',
    source: 'P3.6',
    needs: 'write',
    observe: async (platform) => {
      await platform.call('POST', '/v1/installations/me', { body: {} });
      return (await platform.call('GET', '/v1/installations/me')).body;
    },
    expected: expect.objectContaining({
      id: expect.any(String),
      applicationId: expect.any(String),
      resource: expect.stringMatching(/^urn:\w+:(company|organization):/),
      status: expect.stringMatching(/^(AUTHORIZED|PENDING_INTEGRATION|ACTIVATED|INACTIVE|ERROR)$/),
      metadata: expect.any(Object),
    }),
  },
  {
    fact: 'a second installation is refused with 400',
    source: 'P3.6',
    needs: 'write',
    observe: async (platform) => {
      await platform.call('POST', '/v1/installations/me', { body: {} });
      return (await platform.call('POST', '/v1/installations/me', { body: {} })).status;
    },
    expected: 400,
  },
  {
    fact: 'an installation is activated, and the deprecated path does the same',
    source: 'P3.6',
    needs: 'grant',
    observe: async (platform) => {
      const authorization = `Bearer ${(await connected(platform)).accessToken}`;
      const activated = await platform.call('POST', '/v1/installations/me:activate', { authorization });
      const completed = await platform.call('PUT', '/v1/installations/completions', { authorization });
      return [activated, completed].map(({ status, body }) => [status, at(body, 'status')]);
    },
    expected: [
      [200, 'ACTIVATED'],
      [200, 'ACTIVATED'],
    ],
  },
  {
    fact: 'both paths of activating work without the prefix, as given',
    source: 'P3.6',
    needs: 'grant',
    observe: async (platform) => {
      const authorization = `Bearer ${(await connected(platform)).accessToken}`;
      const activated = await platform.call('POST', '/installations/me:activate', { authorization });
      const completed = await platform.call('PUT', '/installations/completions', { authorization });
      return [activated, completed].map(({ status, body }) => [status, at(body, 'status')]);
    },
    expected: [
      [200, 'ACTIVATED'],
      [200, 'ACTIVATED'],
    ],
  },
  {
    fact: 'an installation is not asked for by a company_id that is none',
    source: 'P3.6',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v1/installations/me?company_id=none')).status,
    expected: 400,
  },
  {
    fact: 'an employee is read by its id, with what must be there',
    source: 'P8',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer();
      const path = `/companies/${await customer.companyId()}/employees`;
      const person = { email: 'ida@example.com', firstName: 'Ida', lastName: 'Berg', code: 'E-1' };
      const id = String(at(await sandbox.control('POST', path, person), 'id'));
      return at((await customer.call('GET', `/v2/employees/${id}`)).body, 'data');
    },
    expected: expect.objectContaining({
      id: expect.any(String),
      companyId: expect.any(String),
      email: 'ida@example.com',
      firstName: 'Ida',
      lastName: 'Berg',
      code: 'E-1',
    }),
  },
  {
    fact: 'an installation keeps the metadata and the error code it is given',
    source: 'P3.6',
    needs: 'write',
    observe: async (platform) => {
      await platform.call('POST', '/v1/installations/me', { body: {} });
      const body = { status: 'ERROR', errorCode: 'AUTH_ERROR', metadata: { note: 'kept' } };
      return (await platform.call('PUT', '/v1/installations/me', { body })).body;
    },
    expected: expect.objectContaining({
      status: 'ERROR',
      errorCode: 'AUTH_ERROR',
      metadata: { note: 'kept' },
    }),
  },
  {
    fact: 'an unknown status of an installation is refused',
    source: 'P3.6',
    needs: 'write',
    observe: async (platform) => {
      await platform.call('POST', '/v1/installations/me', { body: {} });
      return refusal(await platform.call('PUT', '/v1/installations/me', { body: { status: 'RESTING' } }))[0];
    },
    expected: 400,
  },
  {
    fact: 'an installation is deleted with 204, and there is none afterwards',
    source: 'P3.1, P3.6',
    needs: 'write',
    // An access token would not outlive it, and later rows need one.
    onlyFor: 'api-key',
    observe: async (platform) => {
      await platform.call('POST', '/v1/installations/me', { body: {} });
      const deleted = await platform.call('DELETE', '/v1/installations/me');
      const after = await platform.call('GET', '/v1/installations/me');
      return [deleted.status, after.status >= 400];
    },
    expected: [204, true],
  },
  {
    fact: 'an installation that is not there is not deleted',
    source: 'P3.6',
    needs: 'sandbox',
    observe: async ({ sandbox }) => (await (await sandbox.customer()).call('DELETE', '/v1/installations/me')).status,
    expected: 404,
  },
  {
    fact: 'an installation is made with the status and the metadata it is given',
    source: 'P3.6',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const body = { status: 'PENDING_INTEGRATION', metadata: { note: 'kept' } };
      return (await (await sandbox.customer()).call('POST', '/v1/installations/me', { body })).body;
    },
    expected: expect.objectContaining({ status: 'PENDING_INTEGRATION', metadata: { note: 'kept' } }),
  },
  ...['clientId', 'scope', 'subjectURN', 'authMethod'].map((field) => ({
    fact: `an API key is returned with ${field}`,
    source: 'P3.1 (GET /v1/introspect)',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const customer = await sandbox.customer({ scopes: ['accounts:read'] });
      const value = at((await customer.call('GET', '/v1/introspect')).body, 'data', field);
      return field === 'subjectURN' ? String(value).endsWith(`:company:${await customer.companyId()}`) : value;
    },
    expected: {
      clientId: expect.any(String),
      scope: 'accounts:read',
      subjectURN: true,
      authMethod: 'API_KEY',
    }[field],
  })),
];
