import type { Role } from './role.js';

/**
 * Whether a change would leave nobody who can grant roles.
 * @param adminIds the first two admins there are, or fewer
 * @param role what the member is to be; undefined: no member any more
 */
export function leavesNoAdmin(
  adminIds: readonly string[],
  memberId: string,
  role: Role | undefined,
): boolean {
  return role !== 'admin' && adminIds.length === 1 && adminIds[0] === memberId;
}
