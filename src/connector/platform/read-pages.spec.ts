import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
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
