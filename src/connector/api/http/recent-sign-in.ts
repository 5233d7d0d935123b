import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiForbiddenResponse } from '@nestjs/swagger';
import { Problem } from '../../../foundation/http/problem.js';

export const RECENT_SIGN_IN = 'recent-sign-in';
export const SIGN_IN_AGAIN = 'sign-in-again';

/**
 * For what a person may do only shortly after the platform has vouched for them (S53). An API token
 * is exempt: nobody is there to ask, and it was itself made under this rule.
 */
export const RecentSignIn = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(RECENT_SIGN_IN, true),
    ApiForbiddenResponse({
      description:
        'the role does not suffice; or, in a session, `sign-in-again`: it began more than 15 minutes ago, and `signInAt` says where to sign in anew',
    }),
  );

/** @param signInAt address that leads through the platform to a new session */
export function signInAgain(signInAt: string): Problem {
  const detail = 'This needs a sign-in within the last 15 minutes. Nothing was changed; sign in again.';
  return new Problem({ status: 403, type: SIGN_IN_AGAIN, detail, members: { signInAt } });
}
