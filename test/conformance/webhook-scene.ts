// A customer whose webhooks a receiver of the suite takes, and what can be seen there.
import { createHmac } from 'node:crypto';
import { WebhookReceiver, type ReceivedNotification } from '../support/webhook-receiver.js';
import { at, type Platform, type Sandbox } from './platform.js';
import { item } from './export-item.js';

export interface Scene {
  readonly sandbox: Sandbox;
  readonly customer: Platform;
  readonly receiver: WebhookReceiver;
  readonly subscriptionId: string;
  /** Makes a job and waits for so many notifications in all. */
  readonly export: (arrivals: number) => Promise<string>;
}

/** A customer with a subscription to a receiver of its own, for as long as `act` runs. */
export const scene = async <Seen>(
  { sandbox }: Platform,
  act: (scene: Scene) => Promise<Seen>,
  subscription: object = {},
  status = 200,
): Promise<Seen> => {
  const receiver = await WebhookReceiver.start();
  receiver.status = status;
  try {
    const customer = await sandbox.customer({ items: [item(100)] });
    const body = { endpointUrl: receiver.url, eventTypes: ['v1.export-job.created'], ...subscription };
    const subscriptionId = await customer.create('/v1/subscriptions', body);
    const pressExport = async (arrivals: number) => {
      const jobId = await sandbox.pressExport(await customer.companyId());
      await receiver.arrivals(arrivals);
      return jobId;
    };
    return await act({ sandbox, customer, receiver, subscriptionId, export: pressExport });
  } finally {
    await receiver.stop();
  }
};
export const attemptsOf = async ({ sandbox, customer }: Scene): Promise<readonly unknown[]> => {
  const log = await sandbox.control('GET', `/deliveries?company_id=${await customer.companyId()}`);
  const found: unknown = at(log, 0, 'attempts');
  return Array.isArray(found) ? found.map((attempt: unknown) => attempt) : [];
};
/** Waits until so many attempts are written down. */
export const attempts = async (shown: Scene, count: number): Promise<readonly unknown[]> => {
  for (;;) {
    const found = await attemptsOf(shown);
    if (found.length >= count) {
      return found;
    }
  }
};
export const payload = ({ text }: ReceivedNotification): unknown => at(JSON.parse(text), 'payload');
export const secretOf = async ({ customer, subscriptionId }: Scene) => {
  const { body } = await customer.call('GET', `/v1/subscriptions/${subscriptionId}/secret`);
  return String(at(body, 'data', 'secretKey'));
};
/** Signature of a message by the standard the header names follow. */
export const signed = (secret: string, { headers, text }: ReceivedNotification) => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const message = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
};
export const only = ({ receiver }: Scene, index = 0): ReceivedNotification => {
  const found = receiver.received[index];
  if (found === undefined) {
    throw new Error('no notification came');
  }
  return found;
};
