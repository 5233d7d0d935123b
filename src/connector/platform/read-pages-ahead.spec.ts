import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { responseParser } from './parse-response.js';
import { PlatformRefusal } from './platform-error.js';
import type { PlatformAuthorization, PlatformHttp, PlatformRequest } from './platform-http.js';
import { page } from './platform.schema.js';
import { readPagesAhead } from './read-pages-ahead.js';
import { PagedList } from './read-pages.js';

const auth: PlatformAuthorization = {
  accessToken: () => Promise.resolve('token'),
  renewed: () => Promise.resolve('token'),
};
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index.toString()}`);

/** A list of a platform that takes a moment for each page. A cursor is the number of elements before the page. */
class Platform {
  /** Places of the pages, in the order of the requests: `+100` by offset, `>100` by cursor. */
  readonly places: string[] = [];
  mostAtOnce = 0;
  private atOnce = 0;

  constructor(
    private readonly elements: readonly string[],
    /** What it makes of an offset. @throws what the platform refuses it with */
    private readonly onOffset: (offset: number) => number = (offset) => offset,
    private readonly longestPage = 100,
  ) {}

  async read(announced: number): Promise<readonly string[]> {
    const http: Pick<PlatformHttp, 'fetch'> = { fetch: async (_, request, read) => read(await this.respond(request)) };
    const read = responseParser(page(z.object({ id: z.string() })));
    const list = new PagedList(http as PlatformHttp, auth, { method: 'GET', path: '/v3/things' }, read);
    const all: string[] = [];
    for await (const elements of readPagesAhead(list, ({ id }) => id, announced)) {
      all.push(...elements.map(({ id }) => id));
    }
    return all;
  }

  private async respond({ query = new URLSearchParams() }: PlatformRequest) {
    const [offset, after] = [query.get('offset'), query.get('after')];
    this.places.push(offset !== null ? `+${offset}` : after !== null ? `>${after}` : '');
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise(setImmediate);
    this.atOnce -= 1;
    const first = offset === null ? Number(after ?? 0) : this.onOffset(Number(offset));
    const end = Math.min(first + this.longestPage, this.elements.length);
    const data = this.elements.slice(first, end).map((id) => ({ id }));
    const pagination = { hasNextPage: end < this.elements.length, endCursor: end.toString() };
    return { status: 200, headers: {}, text: JSON.stringify({ data, pagination }) };
  }
}

const refused = (status = 400) => {
  throw new PlatformRefusal(status, 'REFUSED', 'no offset here', undefined);
};

describe('a list whose length was announced', () => {
  it('is read in its order, two pages at a time, each once', async () => {
    const platform = new Platform(ids(450));
    expect(await platform.read(450)).toEqual(ids(450));
    expect(platform.places).toEqual(['', '+100', '+200', '+300', '+400']);
    expect(platform.mostAtOnce).toBe(2);
  });

  it('that is very long is read by cursor in the end', async () => {
    const platform = new Platform(ids(20_250));
    expect(await platform.read(20_250)).toEqual(ids(20_250));
    expect(platform.places.slice(-4)).toEqual(['+19900', '>20000', '>20100', '>20200']);
  });

  it.each([
    ['of two pages', new Platform(ids(150)), 150, ['', '>100']],
    ['of which nothing is known', new Platform(ids(250)), 0, ['', '>100', '>200']],
    ['that comes in smaller pages', new Platform(ids(150), undefined, 50), 250, ['', '>50', '>100']],
  ])('%s is read by cursor', async (_, platform, announced, places) => {
    const whole = await platform.read(announced);
    expect(new Set(whole).size).toBe(whole.length);
    expect(platform.places).toEqual(places);
  });

  it.each([
    ['that ignores offsets', new Platform(ids(350), () => 0), ['', '+100', '+200', '>100', '>200', '>300']],
    ['that refuses offsets', new Platform(ids(350), () => refused()), ['', '+100', '+200', '>100', '>200', '>300']],
    [
      'that answers an offset with nothing',
      new Platform(ids(350), () => 350),
      ['', '+100', '+200', '>100', '>200', '>300'],
    ],
  ])('is read by cursor from a platform %s', async (_, platform, places) => {
    expect(await platform.read(350)).toEqual(ids(350));
    expect(platform.places).toEqual(places);
  });

  it.each([
    ['leaves out what is done meanwhile', new Platform(ids(450), (offset) => Math.min(offset + offset / 4, 450)), 450],
    ['refuses a later offset', new Platform(ids(450), (offset) => (offset < 300 ? offset : refused())), 450],
    ['announced more', new Platform(ids(450)), 460],
    ['announced a page more', new Platform(ids(450)), 550],
  ])('is read again from its beginning, when the platform %s', async (_, platform, announced) => {
    const all = await platform.read(announced);
    expect([...new Set(all)].toSorted()).toEqual(ids(450).toSorted());
    expect(platform.places.filter((place) => place === '')).toHaveLength(2);
  });

  it.each([429, 503])('fails where the platform answers %s, which says nothing about offsets', async (status) => {
    const platform = new Platform(ids(450), (offset) => (offset < 300 ? offset : refused(status)));
    await expect(platform.read(450)).rejects.toThrow('no offset here');
    expect(platform.places).toEqual(['', '+100', '+200', '+300', '+400']);
  });

  it('that is longer than announced is read to its end', async () => {
    const platform = new Platform(ids(420));
    expect(await platform.read(300)).toEqual(ids(420));
    expect(platform.places).toEqual(['', '+100', '+200', '>300', '>400']);
  });
});
