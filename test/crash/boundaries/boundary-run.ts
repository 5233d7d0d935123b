import type pg from 'pg';
import type { RunningPrograms } from '../../support/running-programs.js';
import { createTestDatabase, connectAsAdmin } from '../../support/test-database.js';
import { PostgresProxy } from '../../support/servers/postgres-proxy.js';
import { RunningPrograms as Programs } from '../../support/running-programs.js';
import type { Boundary, Round } from './faults.js';
import { checkExport, findJob, isQuiet, leftOver } from './invariants.js';
import { SCENARIOS, type Export, type ScenarioName } from './scenarios.js';
import { Tap } from './tap.js';

/** Of time-outs, their retries and the waits between them. */
const QUIET_MS = 120_000;
/** A killed process is missed after 10 s, its work is taken again some seconds later; the rest is room for a busy machine. */
const TAKEN_AGAIN_S = 40;
const LEFT_OVER_MS = 150_000;
const LOOK_EVERY_MS = 100;

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
    const startedAt = clock.monotonicMs();
    this.tap.begin(round);
    const exported = await SCENARIOS[scenario](this.programs);
    const violations: string[] = [];
    const jobId = (await findJob(this.database, exported.posted[0] ?? '')) ?? '';
    const job = { id: jobId, installationId: this.installationId };
    while (!(await isQuiet(this.database, job))) {
      if (clock.monotonicMs() - startedAt > QUIET_MS) {
        violations.push(`not at an end after ${(QUIET_MS / 1_000).toString()} s`);
        break;
      }
      await clock.sleep(LOOK_EVERY_MS);
    }
    const trace = [...this.tap.trace];
    const { isHit } = this.tap;
    const boundaries = this.tap.end();
    violations.push(...(await checkExport(this.database, exported, jobId)));
    this.done.push({ ...exported, jobId });
    const seconds = (clock.monotonicMs() - startedAt) / 1_000;
    if (isHit && round?.fault.startsWith('kill') === true && seconds > TAKEN_AGAIN_S) {
      violations.push(`taken again after ${seconds.toFixed(0)} s only`);
    }
    return { isHit, violations, trace, seconds, boundaries };
  }

  /** The first export takes the demo's own items with it. */
  private async settleDemo(): Promise<void> {
    await this.database.query('UPDATE simulator.export_item SET exported = true');
  }
}
