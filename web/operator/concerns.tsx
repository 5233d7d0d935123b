import { Badge, Group } from '@mantine/core';
import type { CustomerResponse } from '../api/schema.js';
import { shownCount } from '../messages/values.js';
import { say } from './words.js';

const NEAR_EXPIRY_MS = 15 * 60_000;
/** More of one thing of one customer are not counted. */
const MAX_COUNT = 1_000;

/** What a customer may need an operator for; nothing where all is well. */
export function Concerns({ of: customer }: { readonly of: CustomerResponse }) {
  const { nearestExpiry, stuckJobs, uncertainPostings, failedTasks, discrepancies } = customer;
  const isNear = nearestExpiry !== null && new Date(nearestExpiry).getTime() - Date.now() < NEAR_EXPIRY_MS;
  const all: readonly (readonly [isTrue: boolean, color: string, text: string])[] = [
    [isNear, 'red', say('concern.near-expiry')],
    [stuckJobs > 0, 'red', say('concern.stuckJobs', { count: stuckJobs })],
    [customer.authorizationLost, 'red', say('concern.authorization-lost')],
    [uncertainPostings > 0, 'orange', say('concern.uncertainPostings', { count: atMost(uncertainPostings) })],
    [failedTasks > 0, 'orange', say('concern.failedTasks', { count: atMost(failedTasks) })],
    [discrepancies > 0, 'orange', say('concern.openDiscrepancies', { count: atMost(discrepancies) })],
    [customer.pausedAt !== null, 'gray', say('concern.paused')],
  ];
  return (
    <Group gap={4}>
      {all
        .filter(([isTrue]) => isTrue)
        .map(([, color, text]) => (
          <Badge key={text} color={color} variant="light" className="badge">
            {text}
          </Badge>
        ))}
    </Group>
  );
}

const atMost = (count: number) => (count >= MAX_COUNT ? `≥ ${shownCount(count)}` : shownCount(count));
