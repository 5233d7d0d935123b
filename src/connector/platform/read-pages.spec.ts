import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ResponseTooLong } from '../../foundation/http/client/http-client.js';
import type { PlatformAuthorization, PlatformHttp } from './platform-http.js';
import { fetchAll } from './read-pages.js';

const element = z.object({ id: z.string(), name: z.string() });
const auth: PlatformAuthorization = {
  accessToken: () => Promise.resolve('token'),
  renewed: () => Promise.resolve('token'),
};

function responding(...pages: readonly (readonly z.output<typeof element>[])[]): PlatformHttp {
  let count = 0;
  const http: Pick<PlatformHttp, 'fetch'> = {
    fetch: (_, __, read) => {
      const data = pages[count] ?? [];
      count += 1;
      const pagination = { hasNextPage: count < pages.length, endCursor: count.toString() };
      return Promise.resolve(read({ status: 200, headers: {}, text: JSON.stringify({ data, pagination }) }));
    },
  };
  return http as PlatformHttp;
}

describe('a list of several pages', () => {
  it('has an element once that moved to a later page while it was read, as it was read last', async () => {
    const first = { id: 'a', name: 'old' };
    const http = responding(
      [first, { id: 'b', name: 'b' }],
      [
        { id: 'c', name: 'c' },
        { ...first, name: 'new' },
      ],
    );
    expect(await fetchAll(http, auth, { method: 'GET', path: '/v1/things' }, element)).toEqual([
      { id: 'a', name: 'new' },
      { id: 'b', name: 'b' },
      { id: 'c', name: 'c' },
    ]);
  });
});

describe('a page that is too long to be read', () => {
  /** Of a platform whose elements are so large that a response holds only so many. A cursor is the number of elements before the page. */
  function reading(fits: (first: number) => number, count: number) {
    const limits: number[] = [];
    const http: Pick<PlatformHttp, 'fetch'> = {
      fetch: (_, { query }, read) => {
        const [first, limit] = [Number(query?.get('after') ?? 0), Number(query?.get('limit'))];
        limits.push(limit);
        if (limit > fits(first)) {
          return Promise.reject(new ResponseTooLong('more than 10 MB'));
        }
        const end = Math.min(first + limit, count);
        const data = Array.from({ length: end - first }, (__, index) => ({ id: (first + index).toString(), name: '' }));
        const pagination = { hasNextPage: end < count, endCursor: end.toString() };
        return Promise.resolve(read({ status: 200, headers: {}, text: JSON.stringify({ data, pagination }) }));
      },
    };
    const whole = fetchAll(http as PlatformHttp, auth, { method: 'GET', path: '/v1/things' }, element);
    return { limits, whole };
  }

  it('is requested again with half as many elements, and those after it with more again', async () => {
    const { limits, whole } = reading((first) => (first < 40 ? 30 : 100), 150);
    expect((await whole).map(({ id }) => Number(id))).toEqual(Array.from({ length: 150 }, (_, index) => index));
    expect(limits).toEqual([100, 50, 25, 50, 25, 50, 100]);
  });

  it('is given up when a single element is', async () => {
    const { limits, whole } = reading(() => 0, 3);
    await expect(whole).rejects.toThrow('more than 10 MB');
    expect(limits).toEqual([100, 50, 25, 13, 7, 4, 2, 1]);
  });
});
