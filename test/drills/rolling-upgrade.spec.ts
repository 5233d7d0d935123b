import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Passing } from '../../src/erp-contract/http-proxy.js';
import { freePort } from '../../src/foundation/process/free-port.js';
import { ChildProgram } from '../../src/sandbox/launch/child-program.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';

// The release before runs beside the new one, on the schema of the new one. UPGRADE_FROM names it.

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();

/** The newest tag that is not this version, else the commit before. */
function releaseBefore(): string {
  const [tag] = git('tag', '--merged', 'HEAD^', '--sort=-creatordate').split('\n');
  return tag === undefined || tag === '' ? 'HEAD^' : tag;
}

const ref = process.env['UPGRADE_FROM'] ?? releaseBefore();
let folder: string;
let programs: RunningPrograms;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-before-'));
  const sources = join(folder, 'sources.tar');
  const release = join(folder, 'release');
  await mkdir(release);
  git('archive', `--output=${sources}`, ref);
  execFileSync('tar', ['-xf', sources, '-C', release]);
  await symlink(resolve('node_modules'), join(release, 'node_modules'));
  execFileSync(process.execPath, ['.tools/build.mjs'], { cwd: release, stdio: 'inherit' });
  programs = await RunningPrograms.start();
}, 180_000);
afterEach(async () => {
  await programs.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** A program of the release before, ready. */
async function startOld(
  program: 'main' | 'worker',
): Promise<{ readonly program: ChildProgram; readonly readyUrl: string }> {
  const [port, internalPort] = [(await freePort()).toString(), (await freePort()).toString()];
  const definition = {
    name: `${program} of ${ref}`,
    entry: relative(resolve('dist'), join(folder, 'release', 'dist', 'connector', `${program}.js`)),
    readyUrl: `http://localhost:${internalPort}/health/ready`,
    environment: {
      ...programs.connectorEnvironment,
      ...{ PORT: port, INTERNAL_PORT: internalPort, LEDGER_URL: programs.ledgerProxy.url },
      ...{ LOG_LEVEL: 'trace', LOG_FORMAT: 'json' },
    },
  };
  const output = programs.watch.outputOf(definition.name);
  const child = new ChildProgram(definition, programs.clock, () => undefined, output);
  await child.start();
  return { program: child, readyUrl: definition.readyUrl };
}

/** A program that ends says so first; then it answers nothing. */
async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

const isPosting = ({ method, path }: Pick<Passing, 'method' | 'path'>) =>
  method === 'POST' && path.endsWith('/posting-groups');

describe('a rolling upgrade', () => {
  it('in the middle of an export that the previous release began loses and duplicates nothing, and the export ends', async () => {
    await programs.worker.stop();
    const oldApi = await startOld('main');
    const oldWorker = await startOld('worker');
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    const { promise: passed, resolve: letPass } = Promise.withResolvers<true>();
    programs.ledgerProxy.boundaries = {
      onRequest: (passing: Passing) => {
        if (!isPosting(passing)) {
          return true;
        }
        begin(undefined);
        return passed;
      },
    };
    await triggerExport(programs.clients.simulator);
    // Its first chunk is on its way while the programs are replaced, as an orchestrator does it: the new ones come, then the old ones end.
    await begun;
    const { ledgerProxy } = await programs.addWorker();
    const stopping = Promise.all([oldWorker.program.stop(), oldApi.program.stop()]);
    while (await isReady(oldWorker.readyUrl)) {
      await programs.clock.sleep(50);
    }
    letPass(true);
    await stopping;
    const job = await programs.eventualVerdict();
    const count = (seen: typeof ledgerProxy.seen) => seen.filter(isPosting).length;
    const [byOld, byNew] = [count(programs.ledgerProxy.seen), count(ledgerProxy.seen)];
    process.stdout.write(`from ${ref}: ${byOld.toString()} postings by it, ${byNew.toString()} after it\n`);
    expect([byOld > 0, byNew > 0]).toEqual([true, true]);
    await expectExactExport(programs, job);
  }, 300_000);
});
