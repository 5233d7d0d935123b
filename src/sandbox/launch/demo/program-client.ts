// JSON over HTTP with one of the programs, as an external client.
import type { z } from 'zod';
import { HttpClient, type HttpResponse, type HttpRequest } from '../../../foundation/http/client/http-client.js';
import { Permanent } from '../../../kernel/faults.js';

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 8_000_000;
const MAX_EXCERPT_LENGTH = 500;

interface Body {
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ProgramClient {
  private readonly http: HttpClient;

  /**
   * @param name of the program, for messages.
   * @param url its address without trailing slash.
   * @param bearer sent with every request when given.
   */
  constructor(
    private readonly name: string,
    url: string,
    private readonly bearer?: string,
  ) {
    this.http = new HttpClient({
      baseUrl: url,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxConnections: 2,
    });
  }

  /** @throws Permanent when the response is not 2xx or does not match the schema; NoResponse. */
  async read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return this.parse(schema, await this.send({ method: 'GET', path }, [200]), path);
  }

  /** @returns undefined on 404; otherwise as `read`. */
  async find<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
    const response = await this.send({ method: 'GET', path }, [200, 404]);
    return response.status === 404 ? undefined : this.parse(schema, response, path);
  }

  /** @throws Permanent when the response is not 2xx; NoResponse. */
  async put(path: string, { json, headers = {} }: Body): Promise<void> {
    await this.send({ method: 'PUT', path, ...jsonBody(json, headers) }, [200, 204]);
  }

  /**
   * @param accepted statuses besides 200 and 201 that the caller can go on with.
   * @throws Permanent for any other status; NoResponse.
   */
  async post(path: string, json: unknown, accepted: readonly number[] = []): Promise<HttpResponse> {
    return this.send({ method: 'POST', path, ...jsonBody(json, {}) }, [200, 201, ...accepted]);
  }

  /** @throws Permanent when the response to `path` does not match the schema. */
  parse<Schema extends z.ZodType>(schema: Schema, { text }: HttpResponse, path: string): z.output<Schema> {
    const result = schema.safeParse(parseJson(text));
    if (result.success) {
      return result.data;
    }
    const [issue] = result.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new Permanent(`unexpected response of the ${this.name} to ${path}: ${where} ${issue?.message ?? ''}`);
  }

  close(): void {
    this.http.close();
  }

  private async send(request: HttpRequest, accepted: readonly number[]): Promise<HttpResponse> {
    const authorization = this.bearer === undefined ? {} : { authorization: `Bearer ${this.bearer}` };
    const response = await this.http.send({ ...request, headers: { ...request.headers, ...authorization } });
    if (!accepted.includes(response.status)) {
      throw new Permanent(
        `the ${this.name} responded to ${request.method} ${request.path} with ${response.status.toString()}: ${response.text.slice(0, MAX_EXCERPT_LENGTH)}`,
      );
    }
    return response;
  }
}

function jsonBody(json: unknown, headers: Readonly<Record<string, string>>) {
  return { body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
