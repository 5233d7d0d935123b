import { describe, expect, it } from '@jest/globals';
import { leavesNoAdmin } from './last-admin.js';
import { includesRole, lowerRole, ROLES, type Role } from './role.js';

describe('a change of members', () => {
  it.each([
    { admins: ['a'], member: 'a', role: undefined, leaves: true },
    { admins: ['a'], member: 'a', role: 'bookkeeper', leaves: true },
    { admins: ['a'], member: 'a', role: 'admin', leaves: false },
    { admins: ['a'], member: 'b', role: undefined, leaves: false },
    { admins: ['a'], member: 'b', role: 'viewer', leaves: false },
    { admins: ['a', 'b'], member: 'a', role: undefined, leaves: false },
    { admins: [], member: 'a', role: 'viewer', leaves: false },
  ] as const)('$member of admins $admins becoming $role', ({ admins, member, role, leaves }) => {
    expect(leavesNoAdmin(admins, member, role)).toBe(leaves);
  });
});

describe('roles', () => {
  it('include the rights of every lower role', () => {
    const included = (role: Role) => ROLES.filter((needed) => includesRole(role, needed));
    expect(ROLES.map(included)).toEqual([['viewer'], ['viewer', 'bookkeeper'], ['viewer', 'bookkeeper', 'admin']]);
  });

  it.each([
    ['viewer', 'admin', 'viewer'],
    ['admin', 'bookkeeper', 'bookkeeper'],
    ['admin', 'admin', 'admin'],
  ] as const)('%s and %s: the lower is %s', (one, other, lower) => {
    expect(lowerRole(one, other)).toBe(lower);
  });
});
