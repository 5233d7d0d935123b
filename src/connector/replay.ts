// `npm run replay -- --job <id>`: posts what a job had planned into an empty company of the ledger, with the reference data
// of the company it was posted to, and says whether that gives what its certificate says. The exit status is 1 when it does
// not, and 2 when the ledger cannot be asked or there is no such certificate.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { commandLineOrExit, endOverUsage } from '../foundation/config/command-line.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { isUuid, toErpCompanyId } from '../kernel/ids.js';
import { createLedgerCopy } from './erp.providers.js';
import { Clock } from '../kernel/clock.js';
import { parseCompanyRef } from './erp-connections/domain/company-ref.js';
import { StoredErpConnections } from './erp-connections/stored-erp-connections.js';
import { ExportRecordReader } from './exports/stores/export-record.reader.js';
import { runOnce } from './one-off-program.js';
import { CertificateReader } from './reconciliation/certificates/certificate.reader.js';
import { ReplayJob, type Replay } from './reconciliation/certificates/replay-job.js';

const USAGE =
  'usage: npm run replay -- --job <id>\nPosts what a job had planned into an empty company of the ledger, and compares with its certificate.';
const { job } = commandLineOrExit(USAGE, { job: { type: 'string' } }).values;
if (job === undefined) {
  endOverUsage('--job: which one is to be replayed?', USAGE);
}
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

await runOnce('replay', readEnvironment(), async (app, config) => {
  const installationId = isUuid(job) ? await app.get(ExportRecordReader).ownerOf(job) : undefined;
  const certificate = installationId && (await app.get(CertificateReader).findByJob(installationId, job));
  if (installationId === undefined || certificate === undefined) {
    process.stderr.write(
      `--job ${job}: no certificate is of this job; GET /api/v1/certificates lists those of a company\n`,
    );
    return 2;
  }
  if (certificate.erpCompanyId === null) {
    print('the job ended before it was to post anything');
    return 0;
  }
  const companyId = toErpCompanyId(randomUUID());
  const copy = createLedgerCopy(config, app.get(Clock));
  const { ledger } = config.erp;
  if (copy === undefined || ledger === undefined) {
    print('a replay needs the sandbox’s ledger: name it with LEDGER_URL and LEDGER_API_KEY, outside production');
    return 2;
  }
  try {
    await copy.create(parseCompanyRef(toErpCompanyId(certificate.erpCompanyId)).company, companyId);
  } finally {
    copy.close();
  }
  // With the ledger's main key: the installation's own credentials do not open the copy.
  const connections = app.get(StoredErpConnections);
  const adapter = connections.openUnstored(installationId, 'ledger', {
    url: ledger.url,
    apiKey: ledger.apiKey.reveal(),
  });
  const erp = adapter.forCompany({ ...connections.caller(), company: companyId });
  const replay = await app
    .get(ReplayJob)
    .replay(installationId, job, erp)
    .finally(() => {
      adapter.close();
    });
  return replay === undefined ? 1 : printReplay(replay, companyId);
});

function printReplay(
  { certificate, replayed, same, firstMismatch, unplanned, replanned }: Replay,
  company: string,
): number {
  print(`certified ${certificate.planned.digest}, ${certificate.planned.entries.toString()} entries`);
  print(`replayed  ${replayed.digest}, ${replayed.entries.toString()} entries in ledger company ${company}`);
  print(same ? 'the same' : `not the same: ${firstMismatch ?? 'the plan on record is not the certified one'}`);
  if (unplanned > 0) {
    print(`${unplanned.toString()} postings were found in the books and not planned by the connector`);
  }
  print(
    `mapped again: ${replanned.same.toString()} the same, ${replanned.different.toString()} not, ${replanned.unknown.toString()} not kept`,
  );
  if (replanned.earlier > 0) {
    print(`${replanned.earlier.toString()} were mapped by an earlier version of the rules and are not mapped again`);
  }
  if (replanned.firstMismatch !== undefined) {
    print(replanned.firstMismatch);
  }
  return same && replanned.different === 0 ? 0 : 1;
}
