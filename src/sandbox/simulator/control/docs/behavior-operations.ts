import type { ControlOperation } from './control-operations.js';

/** Operations that change how the simulator behaves: time, settings, failures, webhooks, access. */
export const BEHAVIOR_OPERATIONS: readonly ControlOperation[] = [
  { method: 'GET', path: '/control/clock', does: 'Shows the simulator’s time.' },
  {
    method: 'POST',
    path: '/control/clock',
    does: 'Moves the clock by advanceSeconds, or sets it to offsetSeconds ahead of the computer’s, from 1970 to 9998; work that becomes due is done.',
    body: { advanceSeconds: 3601 },
  },
  { method: 'GET', path: '/control/settings', does: 'Shows the settings.' },
  {
    method: 'PUT',
    path: '/control/settings',
    does:
      'Changes settings; those left out stay. Attempts of a notification and their jitter, the clock and the moment of its timestamp, ' +
      'its body, the effect of a refresh on refresh tokens (none, grace, strict, family), requests of a credential in a ' +
      'minute before 429 (null: no limit), most elements of a page, most active tag groups of a company and tags of a group.',
    body: {
      retrySchedule: 'nine_attempts',
      retryJitterPercent: 20,
      retryJitterSeed: 1,
      webhookTime: 'system',
      webhookTimestamp: 'attempt',
      webhookBody: 'payload',
      refreshRotation: 'family',
      refreshGraceSeconds: 60,
      requestsPerMinute: 500,
      largestPage: 100,
      mostActiveTagGroups: 5,
      mostActiveTags: 10_000,
    },
  },
  {
    method: 'POST',
    path: '/control/failures',
    does:
      'Switches a failure on. Path segments may be *. effect "after" lets the request take effect first; status replaces ' +
      'the response; truncateAt breaks the connection after that many bytes of the body, 0 before any response; answer changes the ' +
      'real response: malformed, endless_paging, unknown_values, unknown_fields; jumpSeconds moves the clock; revokes revokes the ' +
      'caller’s tokens afterwards. skip, percent (with seed) and times say which of the matching requests fail.',
    body: {
      method: 'PUT',
      path: '/v3/export-jobs/*/items',
      effect: 'after',
      status: 503,
      retryAfter: '2',
      delayMs: 0,
      truncateAt: null,
      answer: null,
      jumpSeconds: 0,
      revokes: false,
      skip: 0,
      percent: 100,
      seed: 1,
      times: 1,
    },
  },
  {
    method: 'PUT',
    path: '/control/failures',
    does: 'Replaces all switches by a list, a script of failures. The first switch that matches a request applies.',
    body: [
      { path: '/v3/export-items', status: 429, retryAfter: '1', times: 2 },
      { path: '/v3/export-items', answer: 'unknown_fields', percent: 30, seed: 7 },
    ],
  },
  { method: 'GET', path: '/control/failures', does: 'Lists the switches with their hits.' },
  { method: 'DELETE', path: '/control/failures/{id}', does: 'Removes a switch; without id all of them.' },
  {
    method: 'POST',
    path: '/control/webhook-failures',
    does:
      'Switches a failure of notifications on: duplicate, reorder (delaySeconds), replay, or forge (wrong_secret, ' +
      'changed_body, old_timestamp, unsigned) before the real one. skip, percent, seed and times as above.',
    body: { effect: 'forge', forgery: 'wrong_secret', times: 1 },
  },
  { method: 'GET', path: '/control/webhook-failures', does: 'Lists these switches with their hits.' },
  {
    method: 'DELETE',
    path: '/control/webhook-failures/{id}',
    does: 'Removes such a switch; without id all of them.',
  },
  {
    method: 'POST',
    path: '/control/deliveries/{webhookId}/resend',
    does: 'Sends a notification once more under the same webhook-id and returns the outcome.',
  },
  {
    method: 'POST',
    path: '/control/deliveries/{webhookId}/replay',
    does: 'Sends the newest attempt again as it was, with its old timestamp and signature.',
  },
  {
    method: 'POST',
    path: '/control/deliveries/{webhookId}/forge',
    does: 'Sends a forgery of this notification and returns the outcome.',
    body: { forgery: 'changed_body' },
  },
  {
    method: 'POST',
    path: '/control/subscriptions/{id}/rotate-secret',
    does: 'Gives a subscription a new secret. The one before signs as well for overlapSeconds.',
    body: { overlapSeconds: 86_400 },
  },
  {
    method: 'GET',
    path: '/control/companies/{id}/installations',
    does: 'Lists the apps connected to a company.',
  },
  {
    method: 'POST',
    path: '/control/companies/{id}/disconnect',
    does: 'Disconnects every app of a company as its admin would: installation and subscriptions are deleted, tokens stop working.',
  },
  {
    method: 'POST',
    path: '/control/companies/{id}/revoke-tokens',
    does: 'Revokes the tokens of every app of a company; the installations stay.',
  },
];
