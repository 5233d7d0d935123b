// `npm run verify-certificates`: proves every certificate of every company from the ledger's own data. A line for each one
// that does not hold; the exit status is 1 then, and 2 when all others hold and a ledger cannot be asked. What the ledger has lost, as
// a person has noted, and certificates that say themselves that the ledger showed something else, are listed and do not change the
// status.
import 'reflect-metadata';
import { commandLineOrExit } from '../foundation/config/command-line.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { runOnce, sayWhereLedgerIs } from './one-off-program.js';
import { CertificateReader } from './reconciliation/certificates/certificate.reader.js';
import { VerifyCertificates } from './reconciliation/certificates/verify-certificates.js';
import { UNDETERMINED, verifyEveryCompany } from './reconciliation/certificates/verify-every-company.js';

commandLineOrExit(
  'usage: npm run verify-certificates\nReads every certified job back from the ERP and compares: 0 when all hold, 1 when not, 2 when an ERP cannot be asked.',
);
await runOnce('verify-certificates', readEnvironment(), async (app, config) => {
  const status = await verifyEveryCompany(
    { certificates: app.get(CertificateReader), verifier: app.get(VerifyCertificates) },
    {
      print(line) {
        process.stdout.write(`${line}\n`);
      },
      warn(line) {
        process.stderr.write(`${line}\n`);
      },
    },
  );
  if (status === UNDETERMINED) {
    sayWhereLedgerIs(config);
  }
  return status;
});
