import { createHmac } from 'node:crypto';

/**
 * Signs a notification by Standard Webhooks: HMAC-SHA256 over `id.timestamp.body` (wire-facts §2.4).
 * @param secret `whsec_` and Base64
 * @param timestamp Unix time in seconds
 * @param body the exact text that is sent
 * @returns value of the `webhook-signature` header
 */
export function signNotification(secret: string, webhookId: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key)
    .update(`${webhookId}.${timestamp.toString()}.${body}`)
    .digest('base64');
  return `v1,${digest}`;
}
