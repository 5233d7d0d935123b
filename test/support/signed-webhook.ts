import { createHmac } from 'node:crypto';

export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Signs exactly these bytes as Standard Webhooks 1.0.0 says; written apart from the verifier it is to test. */
export function signWebhook(secret: string, id: string, timestamp: number, body: Buffer): SignedWebhook {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp.toString()}.`).update(body).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp.toString(),
      'webhook-signature': `v1,${mac}`,
    },
  };
}
