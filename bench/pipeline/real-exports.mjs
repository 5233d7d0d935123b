// Exports between the real programs, by the real worker or by the script: from the press of the button to the last verdict.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cardPurchase, Programs } from '../programs.mjs';

const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 300_000;
/** Items of a request of the control API. */
const ADDED_AT_ONCE = 500;

export class RealExports {
  nextItem = 1;
  apiKeys = new Map();

  /** @param url of a migrated database */
  static async start(url) {
    const runs = new RealExports();
    const programs = await Programs.start(url);
    runs.programs = programs;
    runs.database = new pg.Client({ connectionString: url });
    await runs.database.connect();
    // The first export would take the items of the demo with it.
    await runs.database.query('UPDATE simulator.export_item SET exported = true');
    const { simulator, ledger } = programs.addresses;
    runs.script = fork('bench/pipeline/script.mjs', [url, simulator, ledger], {
      env: { ...process.env, LEDGER_KEY: programs.ledgerApiKey },
    });
    await once(runs.script, 'message');
    return runs;
  }

  async close() {
    this.script.disconnect();
    await this.database.end();
    await this.programs.close();
  }

  /**
   * By the script, all jobs at once.
   * @param jobs `{companyId, ledgerId, count}` of each
   */
  async byScript(rival, jobs) {
    const keys = await Promise.all(jobs.map(({ companyId }) => this.apiKeyOf(companyId)));
    return this.export(jobs, (job, index) =>
      this.script.send({ rival, job, company: jobs[index].ledgerId, platformKey: keys[index] }),
    );
  }

  /**
   * By the worker that runs. @param jobs `{companyId, count}` of each
   * @param begin is called with each job's id and its index when the button has been pressed
   */
  async export(jobs, begin = () => undefined) {
    for (const job of jobs) await this.addItems(job);
    const start = performance.now();
    const ids = await Promise.all(
      jobs.map(async ({ companyId }, index) => {
        await this.programs.simulator.post(`/control/companies/${companyId}/export`, {});
        const { rows } = await this.database.query(
          'SELECT id FROM simulator.export_job WHERE company_id = $1 ORDER BY position DESC LIMIT 1',
          [companyId],
        );
        begin(rows[0].id, index);
        return rows[0].id;
      }),
    );
    await this.untilCompleted(ids);
    const ms = performance.now() - start;
    const count = jobs.reduce((sum, job) => sum + job.count, 0);
    return { ms, jobs: jobs.length, perSecond: (count / ms) * 1_000 };
  }

  async addItems({ companyId, count }) {
    for (let added = 0; added < count; added += ADDED_AT_ONCE) {
      const many = Math.min(ADDED_AT_ONCE, count - added);
      const items = Array.from({ length: many }, () => ({ ...cardPurchase(this.nextItem++), companyId }));
      await this.programs.simulator.post(`/control/companies/${companyId}/items`, items);
    }
  }

  async apiKeyOf(companyId) {
    const known = this.apiKeys.get(companyId);
    if (known !== undefined) return known;
    const { text } = await this.programs.simulator.post('/control/api-keys', { companyId });
    const { apiKey } = JSON.parse(text);
    this.apiKeys.set(companyId, apiKey);
    return apiKey;
  }

  async untilCompleted(ids) {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      const { rows } = await this.database.query(
        `SELECT status, count(*)::int AS jobs FROM simulator.export_job WHERE id = ANY($1) GROUP BY status`,
        [ids],
      );
      const ended = rows.filter(({ status }) => status !== 'pending' && status !== 'in_progress');
      const other = ended.find(({ status }) => status !== 'completed');
      if (other !== undefined) throw new Error(`${other.jobs} of ${ids.length} jobs are ${other.status}`);
      if (ended[0]?.jobs === ids.length) return;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`of ${ids.length} jobs some have not ended`);
  }
}
