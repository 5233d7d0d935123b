// `npm run verify-certificates`: proves every certificate of every company from the ledger's own data. A line for each one
// that does not hold; the exit status is 1 then, and 2 when the ledger cannot be asked. What the ledger has lost, as a person
// has noted, and certificates that say themselves that the ledger showed something else, are listed and do not change the status.
import 'reflect-metadata';
import { commandLineOrExit } from '../foundation/config/command-line.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { runOnce } from './one-off-program.js';
import { CertificateReader } from './reconciliation/certificates/certificate.reader.js';
import { VerifyCertificates, type CertificateCheck } from './reconciliation/certificates/verify-certificates.js';
import { postingName } from './reconciliation/domain/certificate.js';

commandLineOrExit(
  'usage: npm run verify-certificates\nReads every certified job back from the ERP and compares: 0 when all hold, 1 when not, 2 when the ERP cannot be asked.',
);
await runOnce('verify-certificates', readEnvironment(), async (app) => {
  const verifyCertificates = app.get(VerifyCertificates);
  const counts = { certificates: 0, failed: 0, lost: 0, ofDifferences: 0 };
  for (const installationId of await app.get(CertificateReader).listInstallations()) {
    for await (const check of verifyCertificates.verifyAll(installationId)) {
      counts.certificates += check.sequence === undefined ? 0 : 1;
      counts.lost += check.missing.count;
      if (check.missing.count > 0) {
        process.stdout.write(`${missingLine(installationId, check)}\n`);
      }
      if (check.isOfDifference) {
        counts.ofDifferences += 1;
        const made = 'made while the ERP showed something else than was planned: look at its discrepancies';
        process.stdout.write(`${nameOf(installationId, check)}: ${made}\n`);
      }
      if (check.problems.length > 0) {
        counts.failed += 1;
        process.stdout.write(`${line(installationId, check)}\n`);
      }
    }
  }
  const { certificates: all, failed, lost, ofDifferences } = counts;
  const lostToo = lost === 0 ? '' : `, ${lost.toString()} noted as lost by the ERP`;
  const differencesToo = ofDifferences === 0 ? '' : `, ${ofDifferences.toString()} made while something differed`;
  process.stdout.write(
    `${all.toString()} certificates verified, ${failed.toString()} failures${lostToo}${differencesToo}\n`,
  );
  return failed === 0 ? 0 : 1;
});

function line(installationId: string, check: CertificateCheck): string {
  return `${nameOf(installationId, check)}: ${check.problems.join('; ')}`;
}

function missingLine(installationId: string, check: CertificateCheck): string {
  const { count, named } = check.missing;
  const more = count > named.length ? ' and more' : '';
  const names = named.map(postingName).join('; ');
  return `${nameOf(installationId, check)}: ${count.toString()} noted as lost by the ERP: ${names}${more}`;
}

function nameOf(installationId: string, { sequence, exportJobId }: CertificateCheck): string {
  const name = sequence === undefined ? 'no certificate' : `certificate ${sequence.toString()}`;
  return `${name} of job ${exportJobId}, installation ${installationId}`;
}
