/** What a person or a script may do in one installation; each includes the ones before it. */
export const ROLES = ['viewer', 'bookkeeper', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` may do what needs `needed`. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The role that may do less. */
export function lowerRole(one: Role, other: Role): Role {
  return includesRole(one, other) ? other : one;
}
