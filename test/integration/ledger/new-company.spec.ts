import { describe, expect, it, jest } from '@jest/globals';
import { ApiKeyRepository } from '../../../src/sandbox/ledger/api-keys/api-key.repository.js';
import { startedOnce } from '../../support/started-once.js';
import { API_KEY, startLedger, type WirePage } from './ledger-harness.js';

const ledger = startedOnce(startLedger);

const FORM = { name: ' Walk & Söhne ', functionalCurrency: 'eur', timeZone: 'Europe/Berlin', key: API_KEY };

async function send(form: Readonly<Record<string, string>>, contentType = 'application/x-www-form-urlencoded') {
  const { statusCode, body, headers } = await ledger.app.inject({
    method: 'POST',
    url: '/new-company',
    headers: { 'content-type': contentType },
    payload: contentType.endsWith('json') ? JSON.stringify(form) : new URLSearchParams(form).toString(),
  });
  return { status: statusCode, body, type: headers['content-type'] };
}

const companies = async () =>
  (await ledger.call<WirePage<{ readonly id: string; readonly name: string }>>('GET', '/companies')).body.data;

describe('the page of a new company', () => {
  it('is linked from the start page and has a form', async () => {
    expect((await ledger.read('/')).text).toContain('href="/new-company"');
    const { status, text, headers } = await ledger.read('/new-company');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('value="Europe/Berlin"');
  });

  it('creates a company that can be posted to with the key that it shows', async () => {
    const { status, body } = await send(FORM);
    expect(status).toBe(201);
    expect(body).toContain('Walk &amp; Söhne is created');
    const [company] = await companies();
    expect(company?.name).toBe('Walk & Söhne');
    const [key = ''] = /ledger_[\w-]+/.exec(body) ?? [];
    const asCompany = async (method: 'GET' | 'POST', path: string, payload?: object) => {
      const response = await ledger.app.inject({
        method,
        url: `/companies/${company?.id ?? ''}${path}`,
        headers: { authorization: `Bearer ${key}` },
        ...(payload === undefined ? {} : { payload }),
      });
      return { status: response.statusCode, body: response.json<unknown>() };
    };
    const today = new Date().toISOString().slice(0, 10);
    const line = (accountCode: string, amount: string) => ({ accountCode, amountMinor: amount, baseMinor: amount });
    const entry = {
      role: 'entry',
      state: 'posted',
      postingDate: today,
      currency: 'EUR',
      description: 'Taxi',
      lines: [line('4000', '1250'), line('1010', '-1250')],
    };
    const groups = [{ key: 'first', contentDigest: '1', entries: [entry] }];
    expect(await asCompany('POST', '/posting-groups', { groups })).toMatchObject({
      body: { outcomes: [{ key: 'first', outcome: 'created' }] },
    });
    expect((await asCompany('GET', '/trial-balance')).body).toMatchObject({ entries: 1 });
  });

  it.each([
    ['without the main key', { key: 'guessed' }, 401, 'This is not the main key of the ledger.'],
    ['without a name', { name: '  ' }, 400, 'Enter a name of at most 255 characters.'],
    ['with too long a name', { name: 'x'.repeat(256) }, 400, 'Enter a name of at most 255 characters.'],
    ['with a name of U+0000', { name: 'a\0b' }, 400, 'Enter a name of at most 255 characters.'],
    ['with no currency', { functionalCurrency: 'EURO' }, 400, 'Enter a currency by its three letters, such as EUR.'],
    ['with no time zone', { timeZone: 'Berlin' }, 400, 'Choose a time zone of the list, such as Europe/Berlin.'],
  ] as const)('creates nothing %s, and says why', async (_, wrong, status, sentence) => {
    const before = await companies();
    const answer = await send({ ...FORM, ...wrong });
    expect(answer).toMatchObject({ status, type: 'text/html; charset=utf-8' });
    expect(answer.body).toContain(sentence);
    expect(answer.body).not.toContain(API_KEY);
    expect(await companies()).toEqual(before);
  });

  it('creates no company where its key cannot be stored', async () => {
    const before = await companies();
    const keys = ledger.app.get(ApiKeyRepository, { strict: false });
    jest.spyOn(keys, 'insert').mockRejectedValueOnce(new Error('cut off'));
    expect(await send(FORM)).toMatchObject({ status: 500 });
    expect(await companies()).toEqual(before);
  });

  it('keeps what was entered, escaped', async () => {
    const { body } = await send({ ...FORM, name: '<b>"Walk"', functionalCurrency: 'EURO' });
    expect(body).toContain('value="&lt;b&gt;&quot;Walk&quot;"');
  });

  it.each([
    ['no field at all', {}, 'application/x-www-form-urlencoded'],
    ['JSON', { name: 'x' }, 'application/json'],
  ])('takes %s as a wrong key', async (_, form, contentType) => {
    expect(await send(form as Readonly<Record<string, string>>, contentType)).toMatchObject({ status: 401 });
  });
});
