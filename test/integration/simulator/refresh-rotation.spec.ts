import { beforeEach, describe, expect, it } from '@jest/globals';
import { SimulatorHarness, tokensOf, type Tokens } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let tokens: Tokens;

beforeEach(async () => {
  await simulator.control('POST', '/reset');
  tokens = await simulator.connect(await simulator.addCompany());
});

const behave = (refreshRotation: string) =>
  simulator.control('PUT', '/settings', { refreshRotation, refreshGraceSeconds: 30 });
const refreshes = async (refreshToken: string) => (await simulator.refresh(refreshToken)).status;

describe('rotation of refresh tokens', () => {
  it('none: the token stays the same and valid', async () => {
    await behave('none');
    const renewed = tokensOf(await simulator.refresh(tokens.refreshToken));
    expect(renewed.refreshToken).toBe(tokens.refreshToken);
    expect(await refreshes(tokens.refreshToken)).toBe(200);
  });

  it('grace: a used token works for a while, then revokes the family', async () => {
    await behave('grace');
    const renewed = tokensOf(await simulator.refresh(tokens.refreshToken));
    expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
    const again = tokensOf(await simulator.refresh(tokens.refreshToken));
    await simulator.control('POST', '/clock', { advanceSeconds: 31 });
    expect(await refreshes(again.refreshToken)).toBe(200);
    expect(await refreshes(tokens.refreshToken)).toBe(400);
    expect(await refreshes(renewed.refreshToken)).toBe(400);
  });

  it('grace: two concurrent uses both succeed', async () => {
    await behave('grace');
    const answers = await Promise.all([refreshes(tokens.refreshToken), refreshes(tokens.refreshToken)]);
    expect(answers).toEqual([200, 200]);
  });

  it('strict: a used token is refused, and the family stays valid', async () => {
    await behave('strict');
    const renewed = tokensOf(await simulator.refresh(tokens.refreshToken));
    expect(await refreshes(tokens.refreshToken)).toBe(400);
    expect(await refreshes(renewed.refreshToken)).toBe(200);
  });

  it('family: a used token is refused and revokes the family', async () => {
    await behave('family');
    const renewed = tokensOf(await simulator.refresh(tokens.refreshToken));
    expect(await refreshes(tokens.refreshToken)).toBe(400);
    expect(await refreshes(renewed.refreshToken)).toBe(400);
  });
});
