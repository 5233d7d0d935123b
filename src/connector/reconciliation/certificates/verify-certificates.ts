// Proves a history of certificates: that the chain is complete, and that each one still agrees with record and ERP.
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../../kernel/ids.js';
import { CertificateReader } from './certificate.reader.js';
import { hashOf } from './certificate.repository.js';
import { differingFacts, isSameSource, postingName, type Certificate } from '../domain/certificate.js';
import { ComputeCertificate, type MissingPostings } from './compute-certificate.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';

const PAGE = 100;
/** Most jobs without a certificate that are named. */
const MAX_MISSING = 1_000;

/** One certificate, or one job that should have one. */
export interface CertificateCheck {
  /** Undefined: there is none. */
  readonly sequence: bigint | undefined;
  readonly exportJobId: string;
  /** What is wrong with it, for a person to read. */
  readonly problems: readonly string[];
  /** What it certifies, and the ERP has lost, as a person has noted: no problem, and not to be hidden either. */
  readonly missing: Pick<MissingPostings, 'count' | 'named'>;
  /** It says itself that the ERP showed something else than was planned: it holds, and the books are not as they should be. */
  readonly isOfDifference: boolean;
}

/** What holding a certificate against record and ERP has shown. */
type CertificateFindings = Pick<CertificateCheck, 'problems' | 'missing'>;

@Injectable()
export class VerifyCertificates {
  constructor(
    private readonly certificateReader: CertificateReader,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly computeCertificate: ComputeCertificate,
  ) {}

  /**
   * In the order of the chain, then the jobs without a certificate.
   * @throws ErpUnavailable
   */
  async *verifyAll(installationId: InstallationId): AsyncGenerator<CertificateCheck> {
    let previous: Certificate | undefined;
    for await (const certificate of this.all(installationId)) {
      const { sequence, exportJobId } = certificate;
      const held = await this.verifyOne(installationId, certificate);
      const problems = [...chainProblems(installationId, certificate, previous), ...held.problems];
      yield { sequence, exportJobId, problems, missing: held.missing, isOfDifference: differs(certificate) };
      previous = certificate;
    }
    const missing = await this.certificateReader.listJobsWithoutCertificate(installationId, MAX_MISSING);
    for (const exportJobId of missing) {
      const problems = ['the job has ended and was compared, and has no certificate'];
      yield { sequence: undefined, exportJobId, problems, missing: NOTHING_MISSING, isOfDifference: false };
    }
  }

  private async *all(installationId: InstallationId): AsyncGenerator<Certificate> {
    let after: bigint | undefined;
    for (;;) {
      const page = await this.certificateReader.list(installationId, after, PAGE);
      yield* page;
      after = page.at(-1)?.sequence;
      if (page.length < PAGE) {
        return;
      }
    }
  }

  private async verifyOne(installationId: InstallationId, certificate: Certificate): Promise<CertificateFindings> {
    const job = await this.exportRecordReader.job(installationId, certificate.exportJobId);
    if (job === undefined) {
      return { problems: ['its job is not on record'], missing: NOTHING_MISSING };
    }
    const {
      facts,
      firstMismatch,
      missing: lost,
    } = await this.computeCertificate.compute(installationId, job, certificate.madeAt, () => Promise.resolve());
    // As the ERP was, or as it is where what it has lost was missing at that time too.
    const before = differingFacts(certificate, { ...facts, erp: lost.erpBefore });
    if (before.length === 0 || differingFacts(certificate, facts).length === 0) {
      return { problems: [], missing: lost };
    }
    const first =
      firstMismatch && `the ERP first shows something else than was planned of ${postingName(firstMismatch)}`;
    return { problems: [...before, ...(first === undefined ? [] : [first])], missing: lost };
  }
}

const NOTHING_MISSING: CertificateCheck['missing'] = { count: 0, named: [] };

function differs({ planned, erp }: Certificate): boolean {
  return erp !== null && !isSameSource(planned, erp);
}

function chainProblems(
  installationId: InstallationId,
  certificate: Certificate,
  previous: Certificate | undefined,
): readonly string[] {
  const expected = (previous?.sequence ?? 0n) + 1n;
  const { sequence, previousHash, hash } = certificate;
  return [
    ...(sequence === expected
      ? []
      : [`certificate ${expected.toString()}${sequence - expected > 1n ? ' and others' : ''} before it is missing`]),
    ...(previousHash === (previous?.hash ?? null) ? [] : ['it does not follow the one before it']),
    ...(hash === hashOf(installationId, certificate) ? [] : ['its row was changed: its hash is another one']),
  ];
}
