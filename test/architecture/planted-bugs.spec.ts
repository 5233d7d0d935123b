import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

// `npm run planted` writes each of these bugs into a copy of the source. Here: that it still can.

interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly was: string;
  readonly becomes: string;
  /** Pattern of the test files that have to find it. */
  readonly tests: string;
}

const bugs = JSON.parse(readFileSync('test/planted/bugs.json', 'utf8')) as readonly PlantedBug[];
const specs = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `${folder}/${name}`),
);

it('at least forty planted bugs exist, each with a unique name', () => {
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
  expect(bugs.length).toBeGreaterThanOrEqual(40);
});

describe.each(bugs.map((bug) => [bug.name, bug] as const))('%s', (_, { file, was, becomes, tests }) => {
  it('changes one position of the source', () => {
    expect(readFileSync(file, 'utf8').split(was)).toHaveLength(2);
    expect(becomes).not.toBe(was);
  });

  it('has tests that have to find it', () => {
    expect(specs.some((spec) => new RegExp(tests).test(spec))).toBe(true);
  });
});
