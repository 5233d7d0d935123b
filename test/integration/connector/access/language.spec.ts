import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs } from './visitor.js';

// In which language a person reads: the one they have chosen, before what the browser prefers.

const harness = startedOnce(() => ConnectHarness.start());

it('a member reads in the chosen language until they reset it', async () => {
  const ada = { sub: `ada-${randomUUID()}`, username: 'Ada Berg' };
  const company = harness.platform.addCompany({ name: 'Alpha' });
  await harness.connect(companyUrn(company.id), ada);
  const visitor = await signIn(harness, companyUrn(company.id), ada);
  const read = async () => {
    const { headers } = await visitor.call('GET', '/api/v1/setup', { headers: { 'accept-language': 'en' } });
    return [headers['content-language'], at((await whoIs(visitor)).json, 'language')];
  };
  const choose = async (language: unknown) =>
    (await visitor.call('PUT', '/api/v1/me/language', { body: { language }, headers: await csrfOf(visitor) })).status;
  expect(await read()).toEqual(['en', null]);
  expect(await choose('de')).toBe(204);
  expect(await read()).toEqual(['de', 'de']);
  for (const none of ['fr', 'en-US', 7, undefined]) {
    expect(await choose(none)).toBe(400);
  }
  expect(await choose(null)).toBe(204);
  expect(await read()).toEqual(['en', null]);
});

it('an error is reported in the language of the reader, and in English by default', async () => {
  const id = await harness.connect(companyUrn(harness.platform.addCompany().id));
  const token = await harness.token(id, 'viewer');
  const problemTexts = async (method: 'GET' | 'POST', url: string, language: string | undefined, body?: object) => {
    const headers = language === undefined ? {} : { 'accept-language': language };
    const answer = await harness.call(method, url, { token, headers, ...(body && { body }) });
    return [at(answer.json, 'title'), at(answer.json, 'detail')];
  };
  const unknown = `/api/v1/jobs/${randomUUID()}`;
  expect(await problemTexts('GET', unknown, undefined)).toEqual(['Not found', 'There is no such export job.']);
  expect(await problemTexts('GET', unknown, 'de-AT')).toEqual(['Nicht gefunden', 'Diesen Export gibt es nicht.']);
  expect(await problemTexts('GET', '/api/v1/nowhere', 'de')).toEqual([
    'Nicht gefunden',
    'Unter dieser Adresse gibt es nichts.',
  ]);
  expect(await problemTexts('POST', '/api/v1/erp-connection/test', 'de', {})).toEqual([
    'Nicht erlaubt',
    'Dafür ist die Rolle „admin“ nötig; Sie haben die Rolle „viewer“.',
  ]);
  expect(await problemTexts('GET', '/api/v1/jobs?limit=x', 'de')).toEqual([
    'Ungültige Anfrage',
    'Einige Werte der Anfrage sind nicht gültig; „errors“ nennt jeden davon.',
  ]);
});
