import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { StoredInstallation } from '../../../support/connector-app.js';
import { signWebhook, type SignedWebhook } from '../../../support/signed-webhook.js';

export interface WebhookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Body of a message that says a job was created. */
export function jobCreated(
  companyId: string,
  data: Readonly<Record<string, unknown>> = {},
  payload: Readonly<Record<string, unknown>> = {},
): Buffer {
  const job = {
    id: randomUUID(),
    companyId,
    createdAt: '2026-11-20T10:00:00Z',
    expiresIn: 3600,
    numberOfItems: 1,
    status: 'pending',
    ...data,
  };
  const message = { data: job, eventId: randomUUID(), eventType: 'v1.export-job.created', ...payload };
  return Buffer.from(JSON.stringify({ payload: message }));
}

/** A message of this installation, signed as the platform does. */
export function signedBy(
  installation: StoredInstallation,
  body = jobCreated(installation.companyId),
  id = `msg_${randomUUID()}`,
  at = nowSeconds(),
): SignedWebhook {
  return signWebhook(installation.secret, id, at, body);
}

/** One exchange over a real connection; header values may be lists, which are sent as repeated headers. */
export function exchange(
  port: number,
  options: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly body?: Buffer | string;
  },
): Promise<WebhookResponse> {
  const { method = 'POST', path, headers = {}, body = '' } = options;
  return new Promise((resolve, reject) => {
    const raw = Object.entries(headers).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).flatMap((one) => [name, one]),
    );
    const length = Buffer.byteLength(body);
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: ['host', 'localhost', 'content-length', length.toString(), ...raw],
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
      response.on('error', reject);
    });
    outgoing.end(body);
  });
}
