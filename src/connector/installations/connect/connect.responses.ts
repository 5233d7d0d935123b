import type { WayOn } from '../../../foundation/pages/plain-page.js';
import type { CompletedAuthorization } from './complete-authorization.js';

export interface ConnectResponse {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly next: WayOn;
}

/** The company may be another than that of the browser's session, so it is signed in to. */
const SETUP: WayOn = { path: '/app/sign-in?to=/app/setup', words: 'Go on to the set-up' };
const CONNECT: WayOn = { path: '/connect', words: 'Connect a company' };
const START: WayOn = { path: '/app', words: 'To the start page' };
/** To where the sign-in before was begun. */
export const SIGN_IN: WayOn = { path: '/app/sign-in', words: 'Sign in' };

/** Status and page for each outcome of an attempt to connect or to sign in. */
export const CONNECT_RESPONSES: Readonly<
  Record<
    Exclude<CompletedAuthorization['outcome'], 'signed-in'> | 'denied' | 'sign-in-denied' | 'removed',
    ConnectResponse
  >
> = {
  connected: {
    status: 200,
    title: 'Connected',
    text: 'connected. Exports start as soon as the set-up is complete.',
    next: SETUP,
  },
  'choose-company': {
    status: 200,
    title: 'Which company?',
    text: 'The platform gives access to several companies.',
    next: START,
  },
  'choose-sign-in': {
    status: 200,
    title: 'Which company?',
    text: 'Several companies of the organization are connected.',
    next: START,
  },
  'not-connected': {
    status: 404,
    title: 'This company is not connected',
    text: 'You were not signed in: the company has no connector. Connect it first, from the marketplace or at /connect; then sign in.',
    next: CONNECT,
  },
  removed: {
    status: 403,
    title: 'Not signed in',
    text: 'An administrator has removed you from this company’s connector. Ask one of them to invite you again.',
    next: START,
  },
  'sign-in-refused': {
    status: 400,
    title: 'Not signed in',
    text: 'The platform did not accept the sign-in. Please sign in again.',
    next: SIGN_IN,
  },
  denied: {
    status: 400,
    title: 'No access given',
    text: 'The platform did not give access. Nothing was changed; you can start again.',
    next: START,
  },
  'sign-in-denied': {
    status: 400,
    title: 'Not signed in',
    text: 'The platform did not give access. Nothing was changed; you can sign in again.',
    next: SIGN_IN,
  },
  'attempt-unknown': {
    status: 400,
    title: 'Please start again',
    text: 'This attempt to connect or to sign in is unknown, already used, older than ten minutes, or was started in another browser.',
    next: START,
  },
  refused: {
    status: 400,
    title: 'Not connected',
    text: 'The platform did not accept the authorization. Please connect again.',
    next: CONNECT,
  },
  'incomplete-grant': {
    status: 409,
    title: 'Not connected',
    text: 'The platform gave less access than the connector needs. Nothing was changed; please start again and allow everything that is requested.',
    next: CONNECT,
  },
  'company-taken': {
    status: 409,
    title: 'Not connected',
    text: 'This company is connected already, by another organization. Nothing was changed; disconnect it there first.',
    next: START,
  },
  'platform-unusable': {
    status: 502,
    title: 'The platform is unavailable',
    text: 'The platform could not be reached or sent an invalid response. Please try again in a few minutes.',
    next: START,
  },
};
