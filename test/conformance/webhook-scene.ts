// A customer whose webhooks a receiver of the suite takes, and what can be seen there.
import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { WebhookReceiver, type ReceivedNotification } from '../support/servers/webhook-receiver.js';
import { at, unknownId, type Platform, type Sandbox } from './platform.js';
import { item } from './export-item.js';

export interface Scene {
  /** What exports and reads; at a simulator a customer of its own. */
  readonly customer: Platform;
  readonly receiver: WebhookReceiver;
  readonly subscriptionId: string;
  /** Makes a job and waits for so many notifications in all. */
  readonly export: (arrivals: number) => Promise<string>;
}

/** As it is at a simulator, where everything can be brought about. */
export interface SandboxScene extends Scene {
  readonly sandbox: Sandbox;
  /** Another company of the customer's organization. */
  readonly otherCompanyId: string;
}

/**
 * A customer of a simulator with a subscription to a receiver of its own, for as long as `act` runs.
 * @param status of the receiver's answers
 * @param subscriber whose credential subscribes
 */
export const scene = async <Seen>(
  { sandbox }: Platform,
  act: (scene: SandboxScene) => Promise<Seen>,
  subscription: object = {},
  status = 200,
  subscriber: 'company' | 'organisation' = 'company',
): Promise<Seen> => {
  const receiver = await WebhookReceiver.start();
  receiver.status = status;
  try {
    const organizationId = unknownId();
    const customer = await sandbox.customer({ company: { organizationId }, items: [item(100)] });
    const otherCompanyId = await (await sandbox.customer({ company: { organizationId } })).companyId();
    const by = subscriber === 'company' ? customer : await sandbox.withOrganizationKey(organizationId);
    const subscriptionId = await by.create('/v1/subscriptions', subscriptionOf(receiver.url, subscription));
    const pressExport = async (arrivals: number) => {
      const jobId = await sandbox.triggerExport(await customer.companyId());
      await receiver.arrivals(arrivals);
      return jobId;
    };
    return await act({ sandbox, customer, receiver, subscriptionId, otherCompanyId, export: pressExport });
  } finally {
    await receiver.stop();
  }
};

/** As `scene`, and at a real platform that can reach us: the company itself, its export and its notification. */
export const anyScene = async <Seen>(
  platform: Platform,
  act: (scene: Scene) => Promise<Seen>,
  subscription: object = {},
  status = 200,
): Promise<Seen> => {
  const { listening } = platform.address;
  if (listening === undefined) {
    return scene(platform, act, subscription, status);
  }
  const receiver = await WebhookReceiver.start(listening.port);
  receiver.status = status;
  try {
    const body = subscriptionOf(listening.publicUrl, subscription);
    const subscriptionId = await platform.create('/v1/subscriptions', body, '/v1/subscriptions');
    const asked = async (arrivals: number) => {
      const jobId = await platform.newJob();
      await Promise.race([receiver.arrivals(arrivals), tooLate()]);
      return jobId;
    };
    return await act({ customer: platform, receiver, subscriptionId, export: asked });
  } finally {
    // Before the receiver is gone: what no receiver takes is sent again for days.
    await platform.cleanUp();
    await receiver.stop();
  }
};

const subscriptionOf = (endpointUrl: string, extra: object) => ({
  endpointUrl,
  eventTypes: ['v1.export-job.created'],
  ...extra,
});
/** How long a notification may take: one that failed is sent again at once and after five seconds. */
const MAX_WAIT_MS = 60_000;
const tooLate = async (): Promise<never> => {
  await setTimeout(MAX_WAIT_MS, undefined, { ref: false });
  throw new Error('no notification came in time');
};

export const attemptsOf = async ({ sandbox, customer }: SandboxScene): Promise<readonly unknown[]> => {
  const log = await sandbox.control('GET', `/deliveries?company_id=${await customer.companyId()}`);
  const found: unknown = at(log, 0, 'attempts');
  return Array.isArray(found) ? found.map((attempt: unknown) => attempt) : [];
};
/** Waits until so many attempts are written down. */
export const attempts = async (shown: SandboxScene, count: number): Promise<readonly unknown[]> => {
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
export const only = ({ receiver }: Pick<Scene, 'receiver'>, index = 0): ReceivedNotification => {
  const found = receiver.received[index];
  if (found === undefined) {
    throw new Error('no notification came');
  }
  return found;
};
