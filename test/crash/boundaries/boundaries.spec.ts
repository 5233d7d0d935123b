// Every boundary of every scenario with every fault: `npm run crash -- --all`. Without options a few of them, in `npm test`.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from '@jest/globals';
import { startedOnce } from '../../support/started-once.js';
import { BoundaryRun } from './boundary-run.js';
import { roundId, roundsOf, type Round } from './faults.js';
import type { ScenarioName } from './scenarios/scenarios.js';
import { recognizesRepeats, USUAL, type Variant } from './variant.js';

interface Options {
  readonly scenarios: readonly ScenarioName[];
  /** Id of a round, or a part of some. */
  readonly only?: string;
  /** These faults alone. */
  readonly faults?: readonly string[];
  readonly part: readonly [number, number];
  readonly minutes: number;
  readonly variant: Variant;
  /** The variant as options of the command. */
  readonly repeat: string;
  /** Rounds that are done are kept there, and not done again. */
  readonly results?: string;
}
interface Result {
  readonly scenario: ScenarioName;
  readonly id: string;
  readonly isHit: boolean;
  readonly violations: readonly string[];
  readonly trace?: readonly string[];
}

const GIVEN = process.env['BOUNDARY_RUN'];
const FEW: Options = { scenarios: ['one', 'connect'], part: [1, 1], minutes: 1, variant: USUAL, repeat: '' };
const OPTIONS: Options = GIVEN === undefined ? FEW : (JSON.parse(GIVEN) as Options);
/** Of a short run: the answer to the first of each is lost, which is easiest to get wrong. */
const SHORT: Readonly<Partial<Record<ScenarioName, readonly string[]>>> = {
  one: ['worker>ledger POST ', 'worker>platform POST ', 'worker>db INSERT INTO plan_chunk, COMMIT'],
  connect: ['worker>platform POST '],
};
const MINUTE_MS = 60_000;
/** Up to a dozen programs on a busy machine. */
const START_MS = 10 * MINUTE_MS;
/** Some things pass when their time has come. */
const TRIES = 3;

const run = startedOnce(() => BoundaryRun.start(OPTIONS.variant), START_MS);

it.each(OPTIONS.scenarios)(
  'every boundary of %p with every fault: nothing twice, none lost, everything at its end',
  async (scenario) => {
    const { clock } = run.programs;
    const endsAt = clock.monotonicMs() + OPTIONS.minutes * MINUTE_MS;
    const boundaries = await run.record(scenario);
    const all = roundsOf(boundaries, recognizesRepeats(OPTIONS.variant));
    const results = readResults(scenario);
    const chosen = chosenOf(scenario, all).filter((round) => !results.has(roundId(round)));
    say(`${scenario}: ${count(boundaries)} boundaries, ${count(all)} rounds, ${count(chosen)} to do`);
    for (const round of chosen) {
      if (clock.monotonicMs() > endsAt) {
        break;
      }
      const result = await oneRound(scenario, round);
      results.set(result.id, result);
      keep(result);
    }
    const done = [...results.values()];
    const hit = done.filter(({ isHit }) => isHit);
    const covered = new Set(hit.map(({ id }) => id.slice(0, id.lastIndexOf('@'))));
    const broken = done.filter(({ violations }) => violations.length > 0);
    const left = GIVEN === undefined ? [] : await run.settle();
    say(
      `${scenario}: ${count(hit)} of ${count(all)} rounds, ${covered.size.toString()} of ${count(boundaries)} boundaries, ` +
        `${count(broken)} rounds with violations, ${count(left)} left over`,
    );
    for (const { id, violations, trace = [] } of broken) {
      const command = `npm run crash -- --scenario ${scenario}${OPTIONS.repeat} --only '${id}'`;
      say(`${id}\n  ${violations.join('\n  ')}\n  ${command}\n    ${trace.join('\n    ')}`);
    }
    say(left.join('\n'));
    expect(broken).toEqual([]);
    expect(left).toEqual([]);
    if (GIVEN === undefined) {
      expect(hit).toHaveLength(SHORT[scenario]?.length ?? 0);
    }
  },
  24 * 60 * MINUTE_MS,
);

async function oneRound(scenario: ScenarioName, round: Round): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    const { isHit, violations, trace, seconds } = await run.disturb(scenario, round);
    if (isHit || violations.length > 0 || tried === TRIES) {
      const id = roundId(round);
      const words = violations.length > 0 ? 'VIOLATED' : isHit ? 'ok' : 'not reached';
      say(`${seconds.toFixed(1).padStart(6)} s  ${words}  ${id}`);
      return { scenario, id, isHit, violations, ...(violations.length > 0 ? { trace } : {}) };
    }
  }
}

function chosenOf(scenario: ScenarioName, all: readonly Round[]): readonly Round[] {
  const { only, part, faults } = OPTIONS;
  if (GIVEN === undefined) {
    const lost = all.filter(({ fault }) => fault === 'reset-after');
    return (SHORT[scenario] ?? []).flatMap((start) => lost.find(({ name }) => name.startsWith(start)) ?? []);
  }
  const mine = all.filter((round, index) =>
    only === undefined ? index % part[1] === part[0] - 1 : roundId(round).includes(only),
  );
  return mine.filter(({ fault }) => faults?.includes(fault) !== false);
}

function readResults(scenario: ScenarioName): Map<string, Result> {
  const { results, only } = OPTIONS;
  if (results === undefined || only !== undefined) {
    return new Map();
  }
  let text = '';
  try {
    text = readFileSync(results, 'utf8');
  } catch {
    return new Map();
  }
  const kept = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
  // What was violated is done again.
  const usable = kept.filter(
    (result) => result.scenario === scenario && result.isHit && result.violations.length === 0,
  );
  return new Map(usable.map((result) => [result.id, result]));
}

function keep(result: Result): void {
  if (OPTIONS.results !== undefined) {
    mkdirSync(dirname(OPTIONS.results), { recursive: true });
    appendFileSync(OPTIONS.results, `${JSON.stringify(result)}\n`);
  }
}

function count(list: readonly unknown[]): string {
  return list.length.toString();
}

function say(line: string): void {
  if (GIVEN !== undefined && line !== '') {
    process.stderr.write(`${line}\n`);
  }
}
