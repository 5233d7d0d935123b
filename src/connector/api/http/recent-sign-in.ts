import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiForbiddenResponse } from '@nestjs/swagger';
import type { Problem } from '../../../foundation/http/problem.js';
import { message } from '../../../kernel/message.js';
import { problem } from './problems.js';

export const RECENT_SIGN_IN = 'recent-sign-in';
export const SIGN_IN_AGAIN = 'sign-in-again';

/**
 * For actions that need a sign-in within the last 15 minutes (S53). An API token is exempt: it was itself created under
 * this rule.
 */
export const RecentSignIn = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(RECENT_SIGN_IN, true),
    ApiForbiddenResponse({
      description:
        'the role does not suffice; or, in a session, `sign-in-again`: it began more than 15 minutes ago; `signInAt` is the address for a new sign-in',
    }),
  );

/** @param signInAt address of a new sign-in through the platform */
export function signInAgain(signInAt: string): Problem {
  const detail = message('problem.sign-in-again.detail');
  return problem(SIGN_IN_AGAIN, detail, { members: { signInAt } });
}
