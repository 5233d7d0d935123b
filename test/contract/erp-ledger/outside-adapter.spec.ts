// The adapter of the tutorial in a folder outside this repository: compiled with the types of the package, checked by its
// command. Needs a build of dist.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';

jest.setTimeout(300_000);

const ROOT = resolve(import.meta.dirname, '../../..');
const TUTORIAL = join(ROOT, 'test/support/tiny-books');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const COMMAND = join(ROOT, 'dist/erp-contract/main.js');
const DOCUMENT = readFileSync(join(ROOT, 'docs/erp-adapters.md'), 'utf8');
/** The settings of the compiler that a reader of the tutorial has, and no others. */
const [, TSCONFIG = ''] = /^```json\n(\{ "compilerOptions".*?)^```$/ms.exec(DOCUMENT) ?? [];

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-erp-'));
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await symlink(ROOT, join(folder, 'node_modules/erp-export-connector'), 'junction');
  await symlink(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction');
  await cp(TUTORIAL, folder, { recursive: true });
  // As `npm install` makes it, which says nothing of the kind of the modules.
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: {} }));
  await writeFile(join(folder, 'tsconfig.json'), TSCONFIG);
  const types = await start([TSC, '-p', 'tsconfig.types.json'], ROOT);
  expect(types).toMatchObject({ status: 0, stdout: '' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('an external adapter compiles with types, and passes the certification command', async () => {
  expect(await start([TSC])).toMatchObject({ status: 0, stdout: '' });
  const { status, stdout } = await start([COMMAND, 'out/tiny-books-harness.js', '--certify', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    reports: [
      {
        adapter: { id: 'tiny-books', name: 'Tiny Books', apiVersion: 1 },
        level: 'searchable-reference',
        scope: 'certification',
        result: 'passed',
        clauses: expect.arrayContaining([
          expect.objectContaining({
            title: expect.stringMatching(/^the demo books: .*account by account/),
            result: 'holds',
          }),
          expect.objectContaining({ title: expect.stringMatching(/^cut off at each request/), result: 'holds' }),
        ]),
      },
    ],
  });
  expect(status).toBe(0);
});

it('the command of a linked checkout can be started after each build, which npm makes possible at the installation only', async () => {
  expect((await stat(COMMAND)).mode & 0o111).toBe(0o111);
});

it('an older Node is refused, in place of clauses that fail for what it lacks', async () => {
  const versions = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const older = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`];
  const { status, stderr } = await start([...older, COMMAND, 'out/tiny-books-harness.js']);
  expect(stderr).toBe('erp-contract needs Node 24 or newer; this is Node 20.20.2\n');
  expect(status).toBe(2);
});

it('an adapter that omits a required part of the kit does not compile', async () => {
  const incomplete = `import { defineErp } from 'erp-export-connector/erp-kit';
    export const erp = defineErp({ id: 'x', name: 'X', apiVersion: 2, connection: { schema: {}, secrets: [] } });`;
  await writeFile(join(folder, 'incomplete.ts'), incomplete);
  const compiled = await start([TSC, '--noEmit']);
  await rm(join(folder, 'incomplete.ts'));
  expect(compiled.status).not.toBe(0);
  expect(compiled.stdout).toMatch(/^incomplete\.ts.*: error TS/);
});

it('an adapter that breaks a rule fails the command, which names the rule', async () => {
  const careless = `export * from './tiny-books-harness.js';
    import { harnesses as correct } from './tiny-books-harness.js';
    const [harness] = correct;
    export const harnesses = [{ ...harness, definition: { ...harness.definition, create(context) {
      const adapter = harness.definition.create(context);
      const ledger = Object.create(adapter.ledger);
      // A lost answer is taken for a refusal.
      ledger.post = async (call, groups) => (await adapter.ledger.post(call, groups)).map((outcome) =>
        outcome.outcome === 'unknown' ? { outcome: 'refused', message: 'No.' } : outcome);
      return { ...adapter, ledger };
    } } }];`;
  await writeFile(join(folder, 'out/careless.js'), careless);
  const { status, stderr } = await start([COMMAND, 'out/careless.js', '--only', 'a post without a response']);
  expect(stderr).toContain('✗ a post without a response: is unknown, and has one effect in the end');
  expect(stderr).toContain('refused');
  expect(status).toBe(1);
});

it('a filter that matches no clause does not count as a pass', async () => {
  const { status } = await start([COMMAND, 'out/tiny-books-harness.js', '--only', 'no such clause']);
  expect(status).toBe(1);
});

it.each([
  [
    'an option that there is not',
    ['out/tiny-books-harness.js', '--strict'],
    /^Unknown option '--strict'\nerp-contract </,
  ],
  ['a file that there is not', ['out/missing.js'], /^out\/missing\.js cannot be loaded: Cannot find module/],
])('%s is refused in words', async (_, options, words) => {
  const { status, stdout, stderr } = await start([COMMAND, ...options]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(words);
});

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], cwd = folder): Promise<Ended> {
  return new Promise((done) => {
    const options = { cwd, timeout: 240_000, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) => {
      done({ status: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
