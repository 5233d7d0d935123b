import { createHmac } from 'node:crypto';

/**
 * Signs a notification by Standard Webhooks: HMAC-SHA256 over `id.timestamp.body` (P2.4).
 * @param secrets `whsec_` and Base64 each, at least one; two while one takes the other's place
 * @param timestamp Unix time in seconds
 * @param body the exact text that is sent
 * @returns value of the `webhook-signature` header, one signature for each secret
 */
export function signNotification(
  secrets: readonly string[],
  webhookId: string,
  timestamp: number,
  body: string,
): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const hmac = createHmac('sha256', key).update(`${webhookId}.${timestamp.toString()}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return signatures.join(' ');
}
