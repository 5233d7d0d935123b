// `npm run rotate-keys`: after a new first key of CREDENTIAL_KEYS, seals again whatever another key of the ring seals, and says how
// many sealed values there are. The exit status is 1 when any is left that an old key is needed for, and 2 when that could not be seen.
import 'reflect-metadata';
import { commandLineOrExit } from '../foundation/config/command-line.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { ResealValues } from './installations/credentials/reseal-values.js';
import { runOnce } from './one-off-program.js';

commandLineOrExit(
  'usage: npm run rotate-keys\nSeals with the first key of CREDENTIAL_KEYS what another key of them seals, and counts what is left.',
);
await runOnce('rotate-keys', readEnvironment(), async (app) => {
  const { values, resealed, left } = await app.get(ResealValues, { strict: false }).resealAll();
  process.stdout.write(`${values.toString()} sealed values, ${resealed.toString()} sealed anew\n`);
  for (const { column, keyId = '', count } of left) {
    process.stderr.write(`left under key "${keyId}": ${count.toString()} of ${column}\n`);
  }
  if (left.length > 0) {
    process.stderr.write('keep the old keys; restart every process with the new first key, then run this again\n');
  }
  return left.length === 0 ? 0 : 1;
});
