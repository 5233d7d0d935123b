import type { Role } from './role.js';

/**
 * Whether a change would leave no admin, who alone can assign roles.
 * @param adminIds ids of two admins, or of the only one
 * @param role new role of the member; undefined: removed
 */
export function leavesNoAdmin(adminIds: readonly string[], memberId: string, role: Role | undefined): boolean {
  return role !== 'admin' && adminIds.length === 1 && adminIds[0] === memberId;
}
