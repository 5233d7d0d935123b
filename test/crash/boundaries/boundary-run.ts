import type pg from 'pg';
import { z } from 'zod';
import type { RunningPrograms } from '../../support/running-programs.js';
import { createTestDatabase, connectAsAdmin } from '../../support/test-database.js';
import { PostgresProxy } from '../../support/servers/postgres-proxy.js';
import { RunningPrograms as Programs } from '../../support/running-programs.js';
import { isOfApi, type Boundary, type Round } from './faults.js';
import { checkExport, findJob, isQuiet, leftOver } from './invariants.js';
import { SCENARIOS, type Export, type ScenarioName } from './scenarios.js';
import { Tap } from './tap.js';

/** A webhook that was lost with its third attempt is made up for by the next poll, within two minutes; then the export itself. */
const QUIET_MS = 200_000;
/** A killed process is missed after 10 s, its work is taken again some seconds later; the rest is room for a busy machine. */
const TAKEN_AGAIN_S = 40;
/** Where the one API was away for the three attempts at a webhook, the next poll finds the export. */
const POLL_S = 120;
const LEFT_OVER_MS = 150_000;
const LOOK_EVERY_MS = 100;

const settingsSchema = z.object({ version: z.number(), accounts: z.looseObject({}), policies: z.looseObject({}) });

export interface Outcome {
  readonly isHit: boolean;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
  readonly seconds: number;
}

/** The programs with everything that goes between them in our hands, for one round after the other. */
export class BoundaryRun {
  private readonly done: (Export & { jobId: string })[] = [];

  private constructor(
    readonly programs: RunningPrograms,
    private readonly proxy: PostgresProxy,
    private readonly database: pg.Client,
    private readonly tap: Tap,
    private readonly installationId: string,
  ) {}

  static async start(): Promise<BoundaryRun> {
    const server = await createTestDatabase();
    const { hostname, port } = new URL(server.url);
    const holder: { tap?: Tap } = {};
    const proxy = await PostgresProxy.start(
      { host: hostname, port: Number(port) },
      {
        onQuestion: (question) => holder.tap?.onQuestion(question) ?? 'pass',
        onAnswer: (question, answer) => holder.tap?.onAnswer(question, answer) ?? 'pass',
      },
    );
    const through = new URL(server.url);
    through.host = `127.0.0.1:${proxy.port.toString()}`;
    const environment = {
      DATABASE_URL: through.toString(),
      PLATFORM_REQUESTS_PER_MINUTE: '100000',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    };
    const programs = await Programs.start(environment, server).catch(async (error: unknown) => {
      await proxy.close();
      throw error;
    });
    const database = await connectAsAdmin(server.url);
    const { rows } = await database.query<{ id: string }>('SELECT id FROM connector.installation');
    const installationId = rows[0]?.id ?? '';
    const tap = new Tap(installationId, (victim) => {
      programs[victim].kill('SIGKILL');
      // What the lease would do 10 s later: the process is dead for certain. Its own database connections are gone by then.
      void programs.clock.sleep(LOOK_EVERY_MS).then(() => (victim === 'worker' ? run.endLease() : undefined));
    });
    const run = new BoundaryRun(programs, proxy, database, tap, installationId);
    holder.tap = tap;
    const isWebhook = ({ path }: { path: string }) => path.startsWith('/webhooks/');
    tap.tapHttp(programs.connectorProxy, 'platform>api', 'api', isWebhook);
    tap.tapHttp(programs.platformProxy, 'worker>platform', 'worker', () => true);
    tap.tapHttp(programs.ledgerProxy, 'worker>ledger', 'worker', () => true);
    await run.settleDemo();
    await run.replaceChanged();
    return run;
  }

  /** What passes in undisturbed runs of the scenario: in both of two, since some things pass when their time has come. */
  async record(scenario: ScenarioName): Promise<readonly Boundary[]> {
    await this.exportOnce(scenario);
    const first = await this.exportOnce(scenario);
    const second = await this.exportOnce(scenario);
    const counted = new Set(second.boundaries.map(({ name, ordinal }) => `${name}#${ordinal.toString()}`));
    const broken = [...first.violations, ...second.violations];
    if (broken.length > 0) {
      throw new Error(`without any fault: ${broken.join('; ')}`);
    }
    return first.boundaries.filter(({ name, ordinal }) => counted.has(`${name}#${ordinal.toString()}`));
  }

  async disturb(scenario: ScenarioName, round: Round): Promise<Outcome> {
    return this.exportOnce(scenario, round);
  }

  /** @returns what is left over once everything had time to end */
  async settle(): Promise<readonly string[]> {
    const { clock } = this.programs;
    const giveUpAt = clock.monotonicMs() + LEFT_OVER_MS;
    for (;;) {
      const left = await leftOver(this.database, this.installationId, this.done);
      if (left.length === 0 || clock.monotonicMs() > giveUpAt) {
        return left;
      }
      await clock.sleep(1_000);
    }
  }

  async stop(): Promise<void> {
    await this.database.end();
    await this.programs.stop();
    await this.proxy.close();
  }

  private async endLease(): Promise<void> {
    await this.database.query('UPDATE company_lease SET expires_at = now() WHERE installation_id = $1', [
      this.installationId,
    ]);
  }

  private async exportOnce(
    scenario: ScenarioName,
    round?: Round,
  ): Promise<Outcome & { readonly boundaries: readonly Boundary[] }> {
    const { clock } = this.programs;
    const { before, run } = SCENARIOS[scenario];
    // What the round before has killed: the platform tries a webhook three times in five seconds, then after five minutes.
    await this.programs.areAllReady();
    const first = await before?.(this.programs);
    const violations = first === undefined ? [] : [...(await this.untilQuiet(await this.jobOf(first)))];
    const startedAt = clock.monotonicMs();
    this.tap.begin(round);
    const exported = await run(this.programs, first);
    const jobId = await this.jobOf(exported);
    violations.push(...(await this.untilQuiet(jobId)));
    const trace = [...this.tap.trace];
    const { isHit } = this.tap;
    const boundaries = this.tap.end();
    violations.push(...(await checkExport(this.database, exported, jobId)));
    this.done.push({ ...exported, jobId });
    const seconds = (clock.monotonicMs() - startedAt) / 1_000;
    const limit = TAKEN_AGAIN_S + (round !== undefined && isOfApi(round) ? POLL_S : 0);
    if (isHit && round?.fault.startsWith('kill') === true && seconds > limit) {
      violations.push(`taken again after ${seconds.toFixed(0)} s only`);
    }
    return { isHit, violations, trace, seconds, boundaries };
  }

  /** Entries whose content has changed are taken back in the books and posted anew. */
  private async replaceChanged(): Promise<void> {
    const { connector } = this.programs.clients;
    const { version, accounts, policies } = await connector.read('/api/v1/settings', settingsSchema);
    const json = { accounts, policies: { ...policies, conflicts: 'reverse-and-repost' } };
    await connector.put('/api/v1/settings', { json, headers: { 'if-match': `"${version.toString()}"` } });
  }

  private async jobOf({ posted }: Export): Promise<string> {
    return (await findJob(this.database, posted[0] ?? '')) ?? '';
  }

  /** @returns what is wrong when it does not come to that in time */
  private async untilQuiet(jobId: string): Promise<readonly string[]> {
    const { clock } = this.programs;
    const giveUpAt = clock.monotonicMs() + QUIET_MS;
    while (!(await isQuiet(this.database, { id: jobId, installationId: this.installationId }))) {
      if (clock.monotonicMs() > giveUpAt) {
        return [`not at an end after ${(QUIET_MS / 1_000).toString()} s`];
      }
      await clock.sleep(LOOK_EVERY_MS);
    }
    return [];
  }

  /** The first export takes the demo's own items with it. */
  private async settleDemo(): Promise<void> {
    await this.database.query('UPDATE simulator.export_item SET exported = true');
  }
}
