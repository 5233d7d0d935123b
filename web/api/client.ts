// The API, typed by its OpenAPI document. Every request of the page goes through here.
import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { language } from '../messages/language.js';
import { doesAnswer, isOfConnector, reportReachable } from './reachable.js';
import { readersToken } from './reader.js';
import { forgetAnswered, rememberUnanswered, repeatKey } from './repeats.js';
import { reportRefusal, reportSession, withProblem } from './refusals.js';
import { isSample, sampleFetch } from './sample.js';
import type { paths } from './schema.js';
import { awaitAnswer, noteAnswered } from './silence.js';

const KEY = 'idempotency-key';
const FAULTS = 500;

const ourHeaders: Middleware = {
  onRequest({ request, id }) {
    awaitAnswer(id, doesAnswer);
    request.headers.set('accept-language', language());
    if (request.method !== 'GET') {
      request.headers.set('x-csrf-token', readersToken());
    }
    if (request.method !== 'POST') {
      return request;
    }
    const withKey = (key: string) => {
      request.headers.set(KEY, key);
      return request;
    };
    const key = repeatKey(request);
    return typeof key === 'string' ? withKey(key) : key.then(withKey);
  },
  async onResponse({ request, response, id }) {
    noteAnswered(id);
    reportReachable(isOfConnector(response.status));
    await noteAnswer(request, response);
    const isRead = request.method === 'GET';
    if (!response.ok) {
      await reportRefusal(response, isRead);
    } else if (isRead) {
      reportSession();
    }
    return withProblem(response);
  },
  async onError({ request, error, id }) {
    noteAnswered(id);
    // One that the page itself has given up says nothing.
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      reportReachable(false);
      await noteAnswer(request, undefined);
    }
  },
};

/** A refusal had no effect, and has released the key; what became of the request after any other error is not known. */
async function noteAnswer(request: Request, response: Response | undefined): Promise<void> {
  const key = request.headers.get(KEY);
  if (key === null) {
    return;
  }
  if (response?.ok === true) {
    forgetAnswered(key);
  } else if (response === undefined || response.status >= FAULTS) {
    await rememberUnanswered(request, key);
  }
}

/** For what is neither shown nor kept. */
export const api = createFetchClient<paths>({
  baseUrl: location.origin,
  ...(isSample ? { fetch: sampleFetch } : {}),
});
api.use(ourHeaders);

/** The same as queries and mutations of TanStack Query. */
export const apiQuery = createQueryClient(api);
