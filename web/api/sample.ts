// A made-up company, to be looked at without a company of one's own: answers that were recorded in the demo, and nothing that
// could reach the server. `.tools/record-sample.mjs` records them.
import { t } from '../messages/text.js';
import answersUrl from '../sample/answers.json?url';
import { answerOf, type Answers } from './sample-answers.js';

const SAMPLE = '/app/sample';
/** Whether the page shows the sample company. */
export const isSample = location.pathname === SAMPLE || location.pathname.startsWith(`${SAMPLE}/`);
/** Where the addresses of the page begin. */
export const BASE = isSample ? SAMPLE : '/app';

let recorded: Promise<Answers> | undefined;

/** In place of `fetch`: what the demo answered; whatever would change something is refused. */
export async function sampleFetch(request: Request): Promise<Response> {
  recorded ??= fetch(answersUrl).then(async (response) => (await response.json()) as Answers);
  const answer = request.method === 'GET' ? answerOf(await recorded, new URL(request.url)) : undefined;
  return answer === undefined ? refusal(request.method) : Response.json(answer);
}

function refusal(method: string): Response {
  const isRead = method === 'GET';
  const detail = t(isRead ? 'sample.missing' : 'sample.readOnly');
  const status = isRead ? 404 : 403;
  return Response.json({ type: 'about:blank', status, detail }, { status });
}
