import { Problem } from '../../../foundation/http/problem.js';
import type { MemberChange } from '../../access/change-member.js';

/** @throws Problem 404 for an unknown member, 409 where no admin would be left */
export function assertMemberChanged(change: MemberChange): void {
  switch (change) {
    case 'changed':
      return;
    case 'unknown':
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such member.' });
    case 'last-admin': {
      const detail = 'Nothing was changed: the last admin has to make somebody else admin first.';
      throw new Problem({ status: 409, type: 'last-admin', detail });
    }
  }
}
