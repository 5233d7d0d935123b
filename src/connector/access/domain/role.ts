/** Roles in one installation; each includes the rights of the ones before it. */
export const ROLES = ['viewer', 'bookkeeper', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` has the rights of `needed`. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The role with fewer rights. */
export function lowerRole(one: Role, other: Role): Role {
  return includesRole(one, other) ? other : one;
}
