// Where the rivals run: platform and accounting system that answer from memory, the real worker over HTTP, and the script, all on
// one database, with what each costs.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { freePort } from '../../build/foundation/process/free-port.js';
import { NODE_FLAGS } from '../../build/sandbox/launch/child-program.js';
import { Programs } from '../programs.mjs';
import { Costs } from './costs.mjs';

const WAIT_MS = 300_000;

export class Track {
  /** @param url of a migrated database */
  static async start(url) {
    const track = new Track();
    track.programs = await Programs.start(url);
    const { simulator, ledger } = track.programs.addresses;
    track.partners = fork('bench/pipeline/stub-partners.mjs', [simulator, ledger]);
    [track.addresses] = await once(track.partners, 'message');
    track.script = fork('bench/pipeline/script.mjs', [url, track.addresses.platform, track.addresses.ledger]);
    await once(track.script, 'message');
    track.costs = await Costs.connect(url);
    await track.costs.leaveOutReconciliation();
    return track;
  }

  async close() {
    await this.costs.close();
    this.script.disconnect();
    this.partners.kill();
    await this.programs.close();
  }

  /** @param latency milliseconds by which platform and accounting system answer later from now on */
  answerLate(latency) {
    this.partners.send({ latency });
  }

  /**
   * By a worker of its own, warm before it counts.
   * @param warmUp jobs before, and @param jobs that count: `{companyId, ledgerId, count}` of each
   * @param detect tells the worker of the jobs; without it the worker looks each second
   */
  async byConnector(warmUp, jobs, detect = undefined) {
    const environment = {
      PLATFORM_API_URL: this.addresses.platform,
      LEDGER_URL: this.addresses.ledger,
      CONNECTOR_POLL_SECONDS: detect === undefined ? '1' : '600',
    };
    return this.programs.withWorker(
      async (worker) => {
        await this.exported(warmUp, detect);
        return this.measured(worker.pid, () => this.exported(jobs, detect));
      },
      environment,
      NODE_FLAGS,
    );
  }

  /** The same by several workers at the same time. @param count of them */
  async byWorkers(count, warmUp, jobs, detect) {
    if (count === 1) return this.byConnector(warmUp, jobs, detect);
    return this.programs.withWorker(() => this.byWorkers(count - 1, warmUp, jobs, detect), {
      PLATFORM_API_URL: this.addresses.platform,
      LEDGER_URL: this.addresses.ledger,
      CONNECTOR_POLL_SECONDS: '600',
      INTERNAL_PORT: String(await freePort()),
    });
  }

  /** By the script, all jobs at once. */
  async byScript(rival, jobs) {
    const begin = (made) => made.forEach(({ id, ledgerId }) => this.script.send({ rival, job: id, company: ledgerId }));
    return this.measured(this.script.pid, () => this.exported(jobs, begin));
  }

  /** With all requests to the platform since the jobs were there, those after their last event included. */
  async measured(pid, work) {
    const run = await this.costs.of(pid, work);
    this.partners.send({ wanted: 'requests' });
    const [{ requests }] = await once(this.partners, 'message');
    return { ...run, requests };
  }

  /** Jobs from the first request about one of them to the last final event. */
  async exported(jobs, begin = () => undefined) {
    const made = jobs.map((job) => ({ ...job, id: randomUUID() }));
    const open = new Map(made.map((job) => [job.id, job]));
    const ended = new Promise((resolve, reject) => {
      const patience = setTimeout(() => reject(new Error(`${open.size} jobs have not ended`)), WAIT_MS);
      const seen = [];
      const take = (end) => {
        const { count } = open.get(end.id) ?? {};
        if (count === undefined) return;
        open.delete(end.id);
        seen.push(end);
        const { status, results, posted, failed } = end;
        if (status !== 'completed' || results !== count || posted !== count) {
          reject(new Error(`a job is ${status}: ${results} of ${count} reported, ${failed} failed, ${posted} posted`));
        }
        if (open.size === 0) {
          clearTimeout(patience);
          this.partners.off('message', take);
          resolve(seen);
        }
      };
      this.partners.on('message', take);
    });
    this.partners.send({ newJobs: made });
    await begin(made);
    const seen = await ended;
    const count = jobs.reduce((sum, job) => sum + job.count, 0);
    const ms = Math.max(...seen.map(({ endedAt }) => endedAt)) - Math.min(...seen.map(({ beganAt }) => beganAt));
    return { count, jobs: jobs.length, ms, perSecond: (count / ms) * 1_000 };
  }
}

/** The round of the middle speed. */
export function medianRound(rounds) {
  return rounds.toSorted((one, other) => one.perSecond - other.perSecond)[Math.floor(rounds.length / 2)];
}

/** What a fixed piece of arithmetic takes now: how busy the machine is. */
export function spinMs() {
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < 50_000_000; index += 1) sum += index % 7;
  return sum > 0 ? performance.now() - start : 0;
}

export function figure(value) {
  return (value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString('en');
}
