import { describe, expect, it } from '@jest/globals';
import createFetchClient from 'openapi-fetch';
import {
  currentRefusal,
  dismissRefusal,
  isSessionEnded,
  reportRefusal,
  reportSession,
  withProblem,
} from './refusals.js';

/** What a caller of the API gets where something before the connector answers without a body. */
async function answered(answer: Response) {
  const client = createFetchClient<Record<'/', { put: object }>>({
    baseUrl: 'http://127.0.0.1',
    fetch: () => Promise.resolve(answer),
  });
  client.use({ onResponse: ({ response }) => withProblem(response) });
  const { error } = (await client.request('put', '/' as never, {} as never)) as { readonly error?: unknown };
  return error;
}

describe('a refusal', () => {
  it.each([{ 'content-length': '0' }, {}])('without a body is no success: %j', async (headers) => {
    expect(await answered(new Response('', { status: 503, headers }))).toEqual({ status: 503 });
  });

  it('with a body is what it says', async () => {
    expect(await answered(Response.json({ detail: 'Too late.' }, { status: 409 }))).toEqual({ detail: 'Too late.' });
  });
});

it('an answer without a body is a success', async () => {
  expect(await answered(new Response(null, { status: 204 }))).toBeUndefined();
});

it('the end of a session is said once to who has read it, until they want to change something', async () => {
  const ended = () => new Response(null, { status: 401 });
  await reportRefusal(ended(), true);
  expect(currentRefusal()).toBe('signed-out');
  dismissRefusal();
  // The page goes on reading every ten seconds.
  await reportRefusal(ended(), true);
  expect(currentRefusal()).toBeUndefined();
  await reportRefusal(ended(), false);
  expect(currentRefusal()).toBe('signed-out');
});

it('the end of a session is over with the next answer, and the end of the next session is said again', async () => {
  const ended = () => new Response(null, { status: 401 });
  await reportRefusal(ended(), true);
  dismissRefusal();
  expect(isSessionEnded()).toBe(true);
  reportSession();
  expect(isSessionEnded()).toBe(false);
  await reportRefusal(ended(), true);
  expect(currentRefusal()).toBe('signed-out');
  // As after a sign-in in another tab.
  reportSession();
  expect(currentRefusal()).toBeUndefined();
});
