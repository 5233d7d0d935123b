import { expect, it } from '@jest/globals';
import { forgetAnswered, rememberUnanswered, repeatKey } from './repeats.js';

const MINUTE = 60_000;
const requestOf = (body: string, version = '1') =>
  new Request('http://connector/api/v1/mapping/rules/bulk', {
    method: 'POST',
    body,
    headers: { 'if-match': `"${version}"` },
  });

/** It is sent, and its response is lost. @returns its key */
async function lose(request: Request): Promise<string> {
  const key = await repeatKey(request, 0);
  await request.text();
  await rememberUnanswered(request, key, 0);
  return key;
}

it('a request whose response was lost has the same key when it is sent again, and no other one has it', async () => {
  const key = await lose(requestOf('rule'));
  expect(await repeatKey(requestOf('rule'), MINUTE)).toBe(key);
  expect(await repeatKey(requestOf('another rule'), MINUTE)).not.toBe(key);
  expect(await repeatKey(requestOf('rule', '2'), MINUTE)).not.toBe(key);
  forgetAnswered(key);
});

it('what was answered is done once more when it is asked for once more', async () => {
  const key = await lose(requestOf('rule'));
  forgetAnswered(key);
  expect(await repeatKey(requestOf('rule'), MINUTE)).not.toBe(key);
});

it('what is asked for much later is meant as a second one', async () => {
  const key = await lose(requestOf('rule'));
  expect(await repeatKey(requestOf('rule'), 11 * MINUTE)).not.toBe(key);
  forgetAnswered(key);
});

it('while nothing waits for an answer a key is there at once: a page that is left waits for nothing', () => {
  expect(repeatKey(requestOf('rule'))).toMatch(/^[0-9a-f-]{36}$/);
});
