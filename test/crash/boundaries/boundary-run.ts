import type pg from 'pg';
import { z } from 'zod';
import { createApiToken } from '../../../src/sandbox/launch/demo/connect-company.js';
import { demoCompany } from '../../../src/sandbox/launch/demo/demo-company.js';
import { firstCustomer } from '../../../src/sandbox/launch/demo/demo-customers.js';
import { ProgramClient } from '../../../src/sandbox/launch/demo/program-client.js';
import type { RunningPrograms } from '../../support/running-programs.js';
import { endLeases } from '../end-leases.js';
import { connectAsAdmin } from '../../support/test-database.js';
import { isOfApi, type Boundary, type Round } from './faults.js';
import { leftOver } from './left-over.js';
import type { Program } from './program.js';
import type { Outcome, Prepared } from './scenario.js';
import { SCENARIOS, type ScenarioName } from './scenarios/scenarios.js';
import { Tap } from './tap.js';
import { TappedPrograms } from './tapped-programs.js';
import { inDoubtSeconds, setBooksLevel, type Variant } from './variant.js';
import { World } from './world.js';

/** A killed process is missed after 10 s, its work is taken again some seconds later; the rest is room for a busy machine. */
const TAKEN_AGAIN_S = 40;
/** Where the one API was away for the three attempts at a webhook, the next poll finds the export. */
const POLL_S = 120;
const LEFT_OVER_MS = 150_000;
const KILL_MS = 100;
/** A lease lasts 10 s, and others look for work every two. */
const STOP_MS = 15_000;
/** What a program does that goes on late is done by then. */
const AWAKE_MS = 2_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const settingsSchema = z.object({ version: z.number(), accounts: z.looseObject({}), policies: z.looseObject({}) });

export interface Finding {
  readonly isHit: boolean;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
  readonly seconds: number;
}

/** The programs with everything that goes between them in our hands, for one round after the other. */
export class BoundaryRun {
  private readonly done: Outcome[] = [];
  private stopped: Promise<void> = Promise.resolve();

  private constructor(
    private readonly tapped: TappedPrograms,
    private readonly database: pg.Client,
    private readonly tap: Tap,
    private readonly world: World,
    private readonly variant: Variant,
  ) {}

  static async start(variant: Variant): Promise<BoundaryRun> {
    const holder: { run?: BoundaryRun } = {};
    const tap: Tap = new Tap({
      kill: (program) => {
        holder.run?.kill(program);
      },
      stop: async (program) => holder.run?.standStill(program),
    });
    const tapped = await TappedPrograms.start(variant, tap);
    const { programs } = tapped;
    const database = await connectAsAdmin(tapped.databaseUrl);
    const { rows } = await database.query<{ id: string }>('SELECT id FROM connector.installation');
    const installationId = rows[0]?.id ?? '';
    const token = await adminToken(programs, installationId);
    const world = new World(tapped, database, installationId, token, variant);
    const run = new BoundaryRun(tapped, database, tap, world, variant);
    holder.run = run;
    await setBooksLevel(programs.clients.ledger, firstCustomer, variant);
    await run.settleDemo();
    await run.replaceChanged();
    return run;
  }

  get programs(): RunningPrograms {
    return this.tapped.programs;
  }

  /** What passes in undisturbed runs of the scenario: in both of two, since some things pass when their time has come. */
  async record(scenario: ScenarioName): Promise<readonly Boundary[]> {
    await this.doOnce(scenario);
    const first = await this.doOnce(scenario);
    const second = await this.doOnce(scenario);
    const counted = new Set(second.boundaries.map(({ name, ordinal }) => `${name}#${ordinal.toString()}`));
    const broken = [...first.violations, ...second.violations];
    if (broken.length > 0) {
      throw new Error(`without any fault: ${broken.join('; ')}`);
    }
    return first.boundaries.filter(({ name, ordinal }) => counted.has(`${name}#${ordinal.toString()}`));
  }

  async disturb(scenario: ScenarioName, round: Round): Promise<Finding> {
    return this.doOnce(scenario, round);
  }

  /** @returns what is left over once everything had time to end */
  async settle(): Promise<readonly string[]> {
    const { clock } = this.programs;
    const giveUpAt = clock.monotonicMs() + LEFT_OVER_MS;
    for (;;) {
      const left = [...(await leftOver(this.database))];
      for (const { later } of this.done) {
        left.push(...((await later?.()) ?? []));
      }
      if (left.length === 0 || clock.monotonicMs() > giveUpAt) {
        return left;
      }
      await clock.sleep(1_000);
    }
  }

  async stop(): Promise<void> {
    await this.database.end();
    await this.tapped.stop();
  }

  private kill(program: Program): void {
    program.kill('SIGKILL');
    // Its own database connections are gone by then.
    if (program.kind === 'worker' && this.variant.workers === 1) {
      const ids = this.tap.subjects.filter((subject) => UUID.test(subject));
      void this.programs.clock.sleep(KILL_MS).then(() => endLeases(this.database, ids));
    }
  }

  private standStill(program: Program): Promise<void> {
    program.kill('SIGSTOP');
    this.stopped = this.programs.clock.sleep(STOP_MS).then(() => {
      program.kill('SIGCONT');
    });
    return this.stopped;
  }

  private async doOnce(
    scenario: ScenarioName,
    round?: Round,
  ): Promise<Finding & { readonly boundaries: readonly Boundary[] }> {
    const { clock } = this.programs;
    // What the round before has killed: the platform tries a webhook three times in five seconds, then after five minutes.
    await this.programs.areAllReady();
    const prepared = await SCENARIOS[scenario](this.world);
    const { subjects = [this.world.installationId, demoCompany.id, demoCompany.ledgerId], intervene } = prepared;
    const startedAt = clock.monotonicMs();
    this.tap.begin({ subjects, intervene }, round);
    const outcome = await this.beginAndWait(prepared).catch((error: unknown) => ({ violations: [String(error)] }));
    const seconds = (clock.monotonicMs() - startedAt) / 1_000;
    const late =
      this.tap.isHit && round?.fault.startsWith('stop') === true
        ? await this.waitForLate('isQuiet' in outcome ? outcome : undefined)
        : [];
    const trace = [...this.tap.trace];
    const { isHit } = this.tap;
    const boundaries = this.tap.end();
    const violations = [...outcome.violations, ...late];
    if ('check' in outcome) {
      await this.programs.areAllReady();
      violations.push(...(await outcome.check().catch((error: unknown) => [String(error)])));
      this.done.push(outcome);
    }
    const { takenAgainS = TAKEN_AGAIN_S } = prepared;
    const limit = takenAgainS + inDoubtSeconds(this.variant) + (round !== undefined && isOfApi(round) ? POLL_S : 0);
    if (isHit && round?.fault.startsWith('kill') === true && seconds > limit) {
      violations.push(`taken again after ${seconds.toFixed(0)} s only`);
    }
    return { isHit, violations, trace, seconds, boundaries };
  }

  /** A program that stood still does what it had in hand, and may find that others have done it. */
  private async waitForLate(outcome: Outcome | undefined): Promise<readonly string[]> {
    await this.stopped;
    await this.programs.clock.sleep(AWAKE_MS);
    return outcome === undefined ? [] : this.world.untilQuiet(outcome);
  }

  private async beginAndWait({ begin }: Prepared): Promise<Outcome & { readonly violations: readonly string[] }> {
    const outcome = await begin();
    return { ...outcome, violations: await this.world.untilQuiet(outcome) };
  }

  /** Entries whose content has changed are taken back in the books and posted anew. */
  private async replaceChanged(): Promise<void> {
    const { connector } = this.programs.clients;
    const { version, accounts, policies } = await connector.read('/api/v1/settings', settingsSchema);
    const json = { accounts, policies: { ...policies, conflicts: 'reverse-and-repost' } };
    await connector.put('/api/v1/settings', { json, headers: { 'if-match': `"${version.toString()}"` } });
  }

  /** The first export takes the demo's own items with it. */
  private async settleDemo(): Promise<void> {
    await this.database.query('UPDATE simulator.export_item SET exported = true');
  }
}

async function adminToken({ operator }: RunningPrograms, installationId: string): Promise<string> {
  const client = new ProgramClient('connector', operator.url, operator.token);
  const token = await createApiToken(client, installationId);
  client.close();
  return token;
}
