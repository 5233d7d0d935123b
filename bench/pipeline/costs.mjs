// What a stretch of work costs: processor time by process, write-ahead log, commits.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Clock ticks of /proc, which Linux fixes for user space. */
const TICKS_PER_SECOND = 100;
/** After at most this long a connection has told its commits to the statistics. */
const STATISTICS_MS = 1_500;

export class Costs {
  static async connect(url) {
    const costs = new Costs();
    costs.client = new pg.Client({ connectionString: url });
    await costs.client.connect();
    const { rows } = await costs.client.query('SELECT pg_backend_pid() AS pid');
    costs.postmaster = (await processTimes(rows[0].pid)).parent;
    return costs;
  }

  /** Reconciliation of an ended job has a benchmark of its own (`reconciling`): here each counts as done when it is requested. */
  async leaveOutReconciliation() {
    await this.client.query(
      `CREATE FUNCTION connector.done_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN NEW.state := 'completed'; NEW.started_at := now(); NEW.finished_at := now(); RETURN NEW; END $$;
       CREATE TRIGGER done_at_once BEFORE INSERT ON connector.reconciliation_run FOR EACH ROW EXECUTE FUNCTION connector.done_at_once()`,
    );
  }

  /**
   * @param pid of the process that does the work
   * @param work returns what is returned with its costs
   * @returns processor seconds, bytes of write-ahead log, commits
   */
  async of(pid, work) {
    await sleep(STATISTICS_MS);
    const before = await this.read(pid);
    const result = await work();
    await sleep(STATISTICS_MS);
    const after = await this.read(pid);
    const difference = (name) => after[name] - before[name];
    return {
      ...result,
      workerSeconds: difference('worker'),
      databaseSeconds: difference('database'),
      walBytes: difference('wal'),
      commits: difference('commits'),
    };
  }

  async read(pid) {
    const { rows } = await this.client.query(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal,
         (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::int AS commits`,
    );
    return { ...rows[0], worker: (await processTimes(pid)).seconds, database: await this.databaseSeconds() };
  }

  /** Of the server and all its processes, ended ones included. */
  async databaseSeconds() {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const all = await Promise.all(pids.map((pid) => processTimes(pid).catch(() => undefined)));
    const children = all.filter((times) => times?.parent === this.postmaster);
    const server = await processTimes(this.postmaster);
    return children.reduce((sum, { seconds }) => sum + seconds, server.seconds + server.endedChildrenSeconds);
  }

  async close() {
    await this.client.end();
  }
}

async function processTimes(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    seconds: (user + system) / TICKS_PER_SECOND,
    endedChildrenSeconds: (endedUser + endedSystem) / TICKS_PER_SECOND,
  };
}
