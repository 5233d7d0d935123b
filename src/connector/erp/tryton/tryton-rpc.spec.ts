import { expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ErpCall } from '../erp-call.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import { TrytonRpc } from './tryton-rpc.js';

const call = { company: toErpCompanyId('1') } as ErpCall;
const access = { address: 'http://tryton.test', database: 'books', user: 'connector', password: 'secret' };

/** Tryton that answers every write with a body that is well-formed JSON. */
function answering(body: object): TrytonRpc {
  const http = {
    read: () => Promise.resolve({ result: [1, 'session'] }),
    write: (_: unknown, schema: z.ZodType) => {
      const { data, success } = schema.safeParse(body);
      const failure = { kind: 'server-error', message: 'unknown format' };
      return Promise.resolve(success ? { kind: 'responded', value: data } : { kind: 'unknown', failure });
    },
  };
  return new TrytonRpc(access, () => http as unknown as ErpHttp);
}

it.each<[what: string, body: object, kind: string]>([
  ['a result, be it null', { id: 1, result: null }, 'responded'],
  ['neither a result nor an error', {}, 'unknown'],
  ['an id only', { id: 1 }, 'unknown'],
  ['a refusal', { id: 1, error: ['UserError', ['The period is closed.', '']] }, 'refused'],
  ['an error of another kind', { id: 1, error: ['KeyError', 'stack'] }, 'unknown'],
])('an answer to a write with %s', async (_, body, kind) => {
  const written = await answering(body).write(call, z.unknown(), 'model.account.move.post', [[7]]);
  expect(written.kind).toBe(kind);
});
