// `npm run replay -- --job <id>`: posts what a job had planned into an empty company of the ledger, with the reference data
// of the company it was posted to, and says whether that gives what its certificate says. The exit status is 1 when it does
// not, and 2 when the ledger cannot be asked.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isUuid, toErpCompanyId } from '../kernel/ids.js';
import { ledgerCopy } from './connector-runtime.js';
import { ErpLedger } from './erp/erp-ledger.js';
import { ExportRecordsService } from './exports/stores/export-records.service.js';
import { runOnce } from './one-off-program.js';
import { CertificatesService, type Replay } from './reconciliation/certificates/certificates.service.js';

const { job = '' } = parseArgs({ options: { job: { type: 'string' } } }).values;
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

await runOnce('replay', process.env, async (app, config) => {
  const installationId = isUuid(job) ? await app.get(ExportRecordsService).ownerOf(job) : undefined;
  const certificates = app.get(CertificatesService);
  const certificate = installationId && (await certificates.ofJob(installationId, job));
  if (installationId === undefined || certificate === undefined) {
    say('name a job that has a certificate: npm run replay -- --job <id>');
    return 1;
  }
  if (certificate.erpCompanyId === null) {
    say('the job ended before it was to post anything');
    return 0;
  }
  const companyId = toErpCompanyId(randomUUID());
  const copy = ledgerCopy(config);
  try {
    await copy.make(toErpCompanyId(certificate.erpCompanyId), companyId);
  } finally {
    copy.close();
  }
  const replay = await certificates.replay(installationId, job, { erp: app.get(ErpLedger), companyId });
  return replay === undefined ? 1 : tell(replay, companyId);
});

function tell(
  { certificate, replayed, same, firstApart, unplanned, mapped }: Replay,
  company: string,
): number {
  say(`certified ${certificate.planned.digest}, ${certificate.planned.entries.toString()} entries`);
  say(`replayed  ${replayed.digest}, ${replayed.entries.toString()} entries in ledger company ${company}`);
  say(same ? 'the same' : `not the same: ${firstApart ?? 'the plan on record is not the certified one'}`);
  if (unplanned > 0) {
    say(`${unplanned.toString()} postings were found in the books and planned by nobody here`);
  }
  say(
    `mapped again: ${mapped.same.toString()} the same, ${mapped.apart.toString()} not, ${mapped.unknown.toString()} not kept`,
  );
  if (mapped.firstApart !== undefined) {
    say(mapped.firstApart);
  }
  return same && mapped.apart === 0 ? 0 : 1;
}
