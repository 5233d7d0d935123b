// The tests of a module as one file, so that what they share is loaded once for a mutant: most of its time was that.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';

const patterns = JSON.parse(process.env['MUTANTS_TESTS'] ?? '[]') as readonly string[];
const files = patterns.flatMap((pattern) => globSync(pattern)).toSorted();
for (const file of files) {
  await import(resolve(file));
}
