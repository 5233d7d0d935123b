// Every certificate of every company, from the ledger's own data: what the command of that name prints, and its exit status.
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { postingName } from '../domain/certificate.js';
import type { CertificateReader } from './certificate.reader.js';
import type { CertificateCheck, VerifyCertificates } from './verify-certificates.js';

/** Exit status when a certificate does not hold. */
const FAILED = 1;
/** Exit status when all that could be verified hold, and a ledger could not be asked. */
export const UNDETERMINED = 2;

const MADE_OF_A_DIFFERENCE = 'made while the ERP showed something else than was planned: look at its discrepancies';

interface Output {
  /** A line of the result. */
  print(line: string): void;
  /** A line of what could not be verified. */
  warn(line: string): void;
}

interface Sources {
  readonly certificates: Pick<CertificateReader, 'listInstallations'>;
  readonly verifier: Pick<VerifyCertificates, 'verifyAll'>;
}

interface Counts {
  certificates: number;
  failed: number;
  lost: number;
  ofDifferences: number;
}

/**
 * A company whose ledger cannot be asked is named, and keeps none of the others from being verified.
 * @returns the exit status: 0 when all hold, 1 when one does not, 2 when a ledger could not be asked
 */
export async function verifyEveryCompany({ certificates, verifier }: Sources, output: Output): Promise<number> {
  const counts: Counts = { certificates: 0, failed: 0, lost: 0, ofDifferences: 0 };
  let unasked = 0;
  for (const installationId of await certificates.listInstallations()) {
    try {
      for await (const check of verifier.verifyAll(installationId)) {
        report(installationId, check, counts, output);
      }
    } catch (error) {
      if (!(error instanceof ErpUnavailable)) {
        throw error;
      }
      unasked += 1;
      output.warn(`installation ${installationId}: ${error.message}`);
    }
  }
  const { certificates: all, failed, lost, ofDifferences } = counts;
  const lostToo = lost === 0 ? '' : `, ${lost.toString()} noted as lost by the ERP`;
  const differencesToo = ofDifferences === 0 ? '' : `, ${ofDifferences.toString()} made while something differed`;
  const unaskedToo = unasked === 0 ? '' : `, ${unasked.toString()} companies not verified to the end`;
  const more = `${lostToo}${differencesToo}${unaskedToo}`;
  output.print(`${all.toString()} certificates verified, ${failed.toString()} failures${more}`);
  return failed > 0 ? FAILED : unasked > 0 ? UNDETERMINED : 0;
}

function report(installationId: string, check: CertificateCheck, counts: Counts, output: Output): void {
  counts.certificates += check.sequence === undefined ? 0 : 1;
  counts.lost += check.missing.count;
  if (check.missing.count > 0) {
    output.print(missingLine(installationId, check));
  }
  if (check.isOfDifference) {
    counts.ofDifferences += 1;
    output.print(`${nameOf(installationId, check)}: ${MADE_OF_A_DIFFERENCE}`);
  }
  if (check.problems.length > 0) {
    counts.failed += 1;
    output.print(line(installationId, check));
  }
}

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
