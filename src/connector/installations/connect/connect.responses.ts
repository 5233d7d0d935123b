import { message } from '../../../kernel/message.js';
import type { NextPage } from '../../messages/localized-way-on.js';
import type { CompletedAuthorization } from './complete-authorization.js';

interface ConnectResponse {
  readonly status: number;
  readonly next: NextPage;
}

/** The company may be another than that of the browser's session, so it is signed in to. */
const SETUP: NextPage = { path: '/app/sign-in?to=/app/setup', words: message('way-on.set-up') };
const CONNECT: NextPage = { path: '/connect', words: message('way-on.connect') };
const START: NextPage = { path: '/app', words: message('way-on.start') };
/** To where the sign-in before was begun. */
export const SIGN_IN: NextPage = { path: '/app/sign-in', words: message('way-on.sign-in') };

/** Status and way on for each outcome of an attempt to connect or to sign in; its texts are `connecting.<outcome>`. */
export const CONNECT_RESPONSES: Readonly<
  Record<
    Exclude<CompletedAuthorization['outcome'], 'signed-in'> | 'denied' | 'sign-in-denied' | 'removed',
    ConnectResponse
  >
> = {
  connected: { status: 200, next: SETUP },
  'choose-company': { status: 200, next: START },
  'choose-sign-in': { status: 200, next: START },
  'not-connected': { status: 404, next: CONNECT },
  removed: { status: 403, next: START },
  'sign-in-refused': { status: 400, next: SIGN_IN },
  denied: { status: 400, next: START },
  'sign-in-denied': { status: 400, next: SIGN_IN },
  'attempt-unknown': { status: 400, next: START },
  refused: { status: 400, next: CONNECT },
  'incomplete-grant': { status: 409, next: CONNECT },
  'company-taken': { status: 409, next: START },
  'platform-unusable': { status: 502, next: START },
};
