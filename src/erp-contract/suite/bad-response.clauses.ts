import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import { describe } from '../clauses.js';
import type { ScriptedResponse } from '../http-proxy.js';
import type { Disturbance, Exchange } from '../line.js';
import { failureOf, when } from './assertions.js';
import type { Contract } from './contract.js';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedResponse => ({
  status,
  headers,
  body: JSON.stringify(body),
});

const NOTHING_IN_IT = '200 with nothing in it';
/** After any of these a write may have had its effect. */
const NO_RESPONSE: readonly (readonly [name: string, answer: ScriptedResponse])[] = [
  ['500', json(500, {})],
  ['502 with a page', { status: 502, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }],
  ['503 that says nothing was changed', json(503, { message: 'Nothing was changed.' })],
  ['504', json(504, {})],
  ['302', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ['200 that is no JSON', { status: 200, body: 'OK' }],
  // As gateways answer: what is missing is no empty list, and no key that is not there.
  [NOTHING_IN_IT, json(200, {})],
  ['200 with null', json(200, null)],
  ['204', { status: 204, body: '' }],
  ['200 that is cut off', { status: 200, body: '{"', truncated: true }],
];
/** The same for what confirms a write: an ERP may confirm one with an empty object. */
const NO_CONFIRMATION = NO_RESPONSE.filter(([name]) => name !== NOTHING_IN_IT);
/** After any of these it certainly had none. */
const REJECTED: readonly (readonly [name: string, answer: ScriptedResponse, kind: string])[] = [
  ['401', json(401, {}), 'authentication'],
  ['403', json(403, {}), 'authentication'],
  ['429', json(429, {}, { 'retry-after': '7' }), 'rate-limit'],
];
const EVERYTHING = [...NO_RESPONSE, ...REJECTED.map(([name, answer]) => [name, answer] as const)];

/** What an answer that says nothing, or no, means to reads and writes. */
export function badResponseClauses(contract: Contract): void {
  const instead = (by: ScriptedResponse) => (): Disturbance => ({ lost: 'request', by });
  const afterCommit =
    (lost: Disturbance['lost'], by: ScriptedResponse) =>
    ({ commits }: Exchange): Disturbance | undefined =>
      commits ? { lost, by } : undefined;
  const post = async (disturb: (exchange: Exchange) => Disturbance | undefined) => {
    const group = contract.group();
    const firstSentAt = Date.now();
    const { result } = await contract.behindLine(disturb, (erp) => contract.post(group, erp));
    return { group, firstSentAt, outcome: result };
  };

  describe('an ERP that responds badly', () => {
    contract.itWith('HTTP').each(EVERYTHING)('with %s: no read has an answer', async (_, answer) => {
      const reads: Readonly<Record<string, (erp: ConnectedErp) => Promise<unknown>>> = {
        listCompanies: (erp) => erp.listCompanies(),
        loadMasterData: (erp) => erp.loadMasterData(),
        accounts: (erp) => erp.accounts(),
        vendors: (erp) => erp.vendors(),
        findPosted: (erp) => erp.findPosted([randomUUID()]),
        inspect: (erp) => erp.inspect([randomUUID()]),
      };
      for (const [name, read] of Object.entries(reads)) {
        await when(`${name} is called`, async () => {
          await failureOf(contract.behindLine(instead(answer), read));
        });
      }
    });

    contract.itWith('HTTP').each(NO_RESPONSE)(
      'with %s, before anything is done: a post is no refusal and no success',
      async (_, answer) => {
        const { group, firstSentAt, outcome } = await post(instead(answer));
        expect(['unknown', 'not-sent']).toContain(outcome.outcome);
        expect(await contract.effects(group.key)).toBe(0);
        const settled = await contract.settle({ group, firstSentAt }, outcome);
        expect(await contract.effects(group.key)).toBe(settled.outcome === 'unknown' ? 0 : 1);
      },
    );

    contract.itWith('HTTP').each(NO_RESPONSE)(
      'with %s, once a post has its effect: it has one in the end',
      async (_, answer) => {
        const { group, firstSentAt, outcome } = await post(afterCommit('answer', answer));
        expect(['unknown', 'created', 'existed']).toContain(outcome.outcome);
        await contract.settle({ group, firstSentAt }, outcome);
        expect(await contract.effects(group.key)).toBe(1);
      },
    );

    contract.itWith('HTTP', 'reversal').each(NO_CONFIRMATION)(
      'with %s, before anything is reversed: no reversal is reported, and a repetition has its effect',
      async (_, answer) => {
        const group = contract.group();
        const { key } = group;
        await contract.post(group);
        await contract.find(key);
        const { result } = await contract.behindLine(afterCommit('request', answer), (erp) =>
          contract.reverse(key, erp),
        );
        expect(result).toMatchObject({ outcome: 'unavailable' });
        expect(await contract.entriesUnder(key)).toHaveLength(1);
        expect(await contract.reverse(key)).toEqual({ outcome: 'reversed' });
        expect(await contract.balances(key)).toEqual(new Map());
      },
    );

    contract.itWith('HTTP').each(REJECTED)('with %s to all: a post was not sent', async (_, answer, kind) => {
      const { group, outcome } = await post(instead(answer));
      const retryAfterMs = kind === 'rate-limit' ? { retryAfterMs: 7_000 } : {};
      expect(outcome).toMatchObject({ outcome: 'not-sent', failure: { kind, ...retryAfterMs } });
      expect(await contract.effects(group.key)).toBe(0);
    });

    contract.itWith('HTTP').each(REJECTED)(
      'with %s to what would have the effect: a post was not sent, and is repeated',
      async (_, answer) => {
        const { group, firstSentAt, outcome } = await post(afterCommit('request', answer));
        expect(['not-sent', 'unknown']).toContain(outcome.outcome);
        expect(await contract.effects(group.key)).toBe(0);
        const settled = await contract.settle({ group, firstSentAt }, outcome);
        expect(await contract.effects(group.key)).toBe(settled.outcome === 'unknown' ? 0 : 1);
      },
    );
  });
}
