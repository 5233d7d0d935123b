// `npm run verify-certificates`: proves every certificate of every company from the ledger's own data. A line for each one
// that does not hold; the exit status is 1 then, and 2 when the ledger cannot be asked.
import 'reflect-metadata';
import { runOnce } from './one-off-program.js';
import { CertificatesService, type CertificateCheck } from './reconciliation/certificates.service.js';

await runOnce('verify-certificates', process.env, async (app) => {
  const certificates = app.get(CertificatesService);
  const counts = { certificates: 0, failed: 0 };
  for (const installationId of await certificates.installations()) {
    for await (const check of certificates.verify(installationId)) {
      counts.certificates += check.sequence === undefined ? 0 : 1;
      if (check.problems.length > 0) {
        counts.failed += 1;
        process.stdout.write(`${line(installationId, check)}\n`);
      }
    }
  }
  const { certificates: all, failed } = counts;
  process.stdout.write(`${all.toString()} certificates verified, ${failed.toString()} failures\n`);
  return failed === 0 ? 0 : 1;
});

function line(installationId: string, { sequence, exportJobId, problems }: CertificateCheck): string {
  const name = sequence === undefined ? 'no certificate' : `certificate ${sequence.toString()}`;
  return `${name} of job ${exportJobId}, installation ${installationId}: ${problems.join('; ')}`;
}
