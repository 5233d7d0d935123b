import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { apiQuery } from '../api/client.js';
import type { MeResponse } from '../api/schema.js';
import { t } from '../messages/text.js';

type Role = MeResponse['role'];
/** Each has the rights of those before it. */
const ROLES: readonly Role[] = ['viewer', 'bookkeeper', 'admin'];

/** Whether the reader may do what the API lets this role do; not while it is not known who reads. */
export function useMay(needed: Role): boolean {
  const { data: me } = apiQuery.useQuery('get', '/api/v1/me', {}, { staleTime: Infinity });
  return me !== undefined && ROLES.indexOf(me.role) >= ROLES.indexOf(needed);
}

interface NeedsProps {
  readonly role: 'bookkeeper' | 'admin';
  /** In place of what a role may not see: says which role may. */
  readonly explained?: boolean;
  readonly children: ReactNode;
}

/** What the API refuses to others is not offered to them. */
export function Needs({ role, explained = false, children }: NeedsProps) {
  if (useMay(role)) {
    return children;
  }
  return explained ? (
    <Text size="sm" c="dimmed">
      {t(`needs.${role}`)}
    </Text>
  ) : null;
}
