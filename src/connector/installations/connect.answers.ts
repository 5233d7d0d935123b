import type { CompletedConnection } from './complete-connection.js';

export interface ConnectAnswer {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** What a person's browser is told at the end of each way an attempt to connect can go. */
export const ANSWERS: Readonly<Record<CompletedConnection['outcome'] | 'denied', ConnectAnswer>> = {
  connected: {
    status: 200,
    title: 'Connected',
    text: 'connected. Exports start as soon as the set-up is complete.',
  },
  'choose-company': {
    status: 200,
    title: 'Which company?',
    text: 'The platform gives access to several companies.',
  },
  denied: {
    status: 400,
    title: 'Not connected',
    text: 'The platform did not give access. Nothing was changed; you can start again from the marketplace.',
  },
  'attempt-unknown': {
    status: 400,
    title: 'Please start again',
    text: 'This attempt to connect is unknown, already used, older than ten minutes, or was begun in another browser.',
  },
  refused: {
    status: 400,
    title: 'Not connected',
    text: 'The platform did not accept the authorisation. Please start again from the marketplace.',
  },
  'incomplete-grant': {
    status: 409,
    title: 'Not connected',
    text: 'The platform gave less access than the connector needs. Nothing was changed; please start again and allow everything that is asked for.',
  },
  'company-taken': {
    status: 409,
    title: 'Not connected',
    text: 'This company is connected already, by another organisation. Nothing was changed; it has to be disconnected there first.',
  },
  'platform-unusable': {
    status: 502,
    title: 'Not connected',
    text: 'The platform could not be reached or gave an answer we cannot use. Please try again in a few minutes.',
  },
};
