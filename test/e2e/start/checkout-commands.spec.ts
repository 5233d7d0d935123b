// Commands of a checkout that no other test starts: one that does not even load would go unnoticed. Those of a deployment are
// in wrong-configuration.spec.ts.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** By the name of its script in package.json, the program that this starts last. */
const COMMANDS = new Map(
  Object.entries(scripts).flatMap(([name, script]) => {
    const [, file] = /node ((?:bench|test)\/\S+\.mjs)$/.exec(script) ?? [];
    return file === undefined || name === 'erp-contract' ? [] : [[name, file]];
  }),
);

describe('a command of a checkout', () => {
  it('is any of these', () => {
    const names = ['bench', 'conformance', 'crash', 'drill', 'mutants', 'planted'];
    expect([...COMMANDS.keys()].toSorted()).toEqual(names);
  });

  it.each([...COMMANDS.keys()])('refuses an option that there is not, with all that it takes: %s', async (name) => {
    const { status, stdout, stderr } = await run(name, '--no-such-option');
    expect(stderr).toMatch(new RegExp(`^Unknown option '--no-such-option'\nusage: npm run ${name}`));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it.each([
    ['bench', 'test', 'no benchmark test'],
    ['drill', 'fail-over', 'no drill fail-over'],
    ['drill', 'failover 3', "failover does not take '3'"],
    ['drill', 'faults long', "faults does not take 'long'"],
    ['mutants', 'mony', 'no module mony'],
    ['conformance', '--token x', '--url: which server?'],
    [
      'conformance',
      '--url http://localhost:1 --token x --client a',
      '--client, --secret and --redirect belong together',
    ],
  ])('refuses what it cannot take, and names it: %s %s', async (name, given, words) => {
    const { status, stderr } = await run(name, ...given.split(' '));
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });
});

function run(name: string, ...given: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [COMMANDS.get(name) ?? '', ...given], (_error, stdout, stderr) => {
      done({ status: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
