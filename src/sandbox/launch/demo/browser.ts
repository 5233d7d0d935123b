// The part of a browser that connecting a company needs: cookies, redirects and forms.
import { HttpClient, type HttpResponse, type HttpRequest } from '../../../foundation/http/client/http-client.js';
import { Permanent } from '../../../kernel/faults.js';

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

const TIMEOUT_MS = 30_000;
const MAX_PAGE_BYTES = 1_000_000;
const MAX_REDIRECTS = 10;
/** The comma between two cookies; the comma inside an expiry date is followed by a blank. */
const BETWEEN_COOKIES = /,(?=[^\s;,]+=)/;

export class Browser {
  /** Cookies by origin, then by name. Their paths do not matter: no two of the programs' cookies share a name. */
  private readonly cookies = new Map<string, Map<string, string>>();
  private readonly clients: ReadonlyMap<string, HttpClient>;

  /** @param addresses of the programs it may visit */
  constructor(addresses: readonly string[]) {
    this.clients = new Map(
      addresses.map((address) => {
        const { origin } = new URL(address);
        const options = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_PAGE_BYTES, maxConnections: 1 };
        return [origin, new HttpClient({ baseUrl: origin, ...options })];
      }),
    );
  }

  /**
   * Opens an address and follows redirects to the first page.
   * @throws Permanent when they lead to another host or do not end; NoResponse.
   */
  async open(url: URL): Promise<Page> {
    return this.followRedirects(url, await this.exchange(url, { method: 'GET' }));
  }

  /** Sends a form, then as `open`. */
  async submit(url: URL, fields: Readonly<Record<string, string>>): Promise<Page> {
    const response = await this.exchange(url, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return this.followRedirects(url, response);
  }

  close(): void {
    for (const client of this.clients.values()) {
      client.close();
    }
  }

  private async followRedirects(start: URL, first: HttpResponse): Promise<Page> {
    let url = start;
    let response = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const location = response.headers['location'];
      if (response.status < 300 || response.status >= 400 || location === undefined) {
        return { url, status: response.status, text: response.text };
      }
      url = new URL(location, url);
      response = await this.exchange(url, { method: 'GET' });
    }
    throw new Permanent(`redirects from ${start.origin}${start.pathname} do not end`);
  }

  private async exchange(url: URL, request: Omit<HttpRequest, 'path'>): Promise<HttpResponse> {
    const client = this.clients.get(url.origin);
    if (client === undefined) {
      throw new Permanent(`a redirect leads to ${url.origin}, which is not one of the programs`);
    }
    const kept = this.cookies.get(url.origin) ?? new Map<string, string>();
    this.cookies.set(url.origin, kept);
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...request.headers, accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const response = await client.send({ ...request, path: `${url.pathname}${url.search}`, headers });
    for (const [name, value] of receivedCookies(response.headers['set-cookie'])) {
      kept.set(name, value);
    }
    return response;
  }
}

function receivedCookies(header: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (header?.split(BETWEEN_COOKIES) ?? []).map((cookie) => {
    const [pair = ''] = cookie.split(';', 1);
    const end = pair.indexOf('=');
    return [pair.slice(0, end).trim(), pair.slice(end + 1)];
  });
}
