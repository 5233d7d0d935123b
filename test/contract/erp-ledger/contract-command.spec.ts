// `npm run erp-contract -- <name>` as a process: each harness of the repository runs from its sources, whatever they import.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(120_000);

const COMMAND = resolve(import.meta.dirname, 'run.mjs');

describe.each(['ledger', 'files', 'tiny-books'])('the harness %s', (name) => {
  it('checks a clause', async () => {
    const { status, stderr } = await check(name, 'lists the company');
    expect(stderr).toMatch(/[1-9]\d* clauses hold, 0 fail\n$/);
    expect(status).toBe(0);
  });
});

it('a text that no clause has is said to be none, and is no success', async () => {
  const { status, stderr } = await check('files', 'no clause is called this');
  expect(stderr).toContain('no clause has the text "no clause is called this"');
  expect(status).toBe(1);
});

it('a harness that there is not is refused with the names of those that there are', async () => {
  const { status, stderr } = await check('tinybooks', 'lists the company');
  expect(stderr).toBe('tinybooks is neither a file nor one of ledger, tryton, files, tiny-books\n');
  expect(status).toBe(2);
});

function check(name: string, only: string): Promise<{ status: number; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [COMMAND, name, '--only', only], (_error, _stdout, stderr) => {
      done({ status: child.exitCode ?? 1, stderr });
    });
  });
}
