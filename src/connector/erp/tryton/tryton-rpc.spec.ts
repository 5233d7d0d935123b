import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ErpCall } from '../erp-call.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../erp-ledger.js';
import { ListsInMemory } from '../kit/lists-in-memory.js';
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

describe('a list', () => {
  const rowSchema = z.object({ id: z.int(), name: z.string() });
  /** Tryton that gives the same page of 10 MB again and again, in all at most so many. */
  const repeating = (pages: number) => {
    const result = Array.from({ length: 1_000 }, (_, id) => ({ id, name: 'x'.repeat(10_000) }));
    let left = pages;
    const request = (_: unknown, schema: z.ZodType) => {
      if (!schema.safeParse({ result }).success) {
        return Promise.resolve({ result: [1, 'session'] });
      }
      left -= 1;
      return Promise.resolve({ result: left >= 0 ? result : [] });
    };
    return new TrytonRpc(access, () => ({ read: request }) as unknown as ErpHttp);
  };
  const read = (lists: ListsInMemory, pages: number) =>
    lists.during(async () => (await repeating(pages).readAll(call, 'party.party', rowSchema, [])).length);

  it('without an end is not read until the memory is used up', async () => {
    await expect(read(new ListsInMemory(), 100)).rejects.toBeInstanceOf(ErpUnavailable);
  });

  it('counts while its call is under way, with those of the others', async () => {
    const lists = new ListsInMemory();
    const together = await Promise.allSettled([read(lists, 5), read(lists, 5), read(lists, 5)]);
    expect(together.map(({ status }) => status)).toContain('rejected');
    expect(await read(lists, 5)).toBe(5_000);
  });
});
