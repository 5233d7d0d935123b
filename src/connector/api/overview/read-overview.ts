import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { message, type Message } from '../../../kernel/message.js';
import { ReadErpConnection, type ErpConnectionReading } from '../../erp-connections/read-erp-connection.js';
import { InboxReader } from '../../exports/issues/inbox.reader.js';
import { ExportJobReader, type JobView } from '../../exports/stores/export-job.reader.js';
import { nextStep } from '../../installations/domain/connection-steps.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { ReadConnection, type ConnectionProgress } from '../connection/read-connection.js';
import { moneyOf, type MoneyResponse } from '../http/money.dto.js';
import { toIssueResponse } from '../issues/issues.dto.js';
import { toJobResponse } from '../jobs/jobs.dto.js';
import type { CertificateBadgeResponse, HealthResponse, OverviewResponse } from './overview.dto.js';
import type { OpenFigures } from './open-issues.reader.js';
import { OverviewReader, type CertificateFigures } from './overview.reader.js';

const NEWEST_JOBS = 20;
const LAST_EXPORTS = 5;
const OPEN_STATES: readonly string[] = ['detected', 'running', 'verdict_decided'];

/** What needs a person, what runs, what has ended and what comes next, for a home page. */
@Injectable()
export class ReadOverview {
  constructor(
    private readonly overviewReader: OverviewReader,
    private readonly exportJobReader: ExportJobReader,
    private readonly inboxReader: InboxReader,
    private readonly readConnection: ReadConnection,
    private readonly readErpConnection: ReadErpConnection,
    private readonly clock: Clock,
  ) {}

  /** @param language of the texts */
  async readOverview(installationId: InstallationId, language: string): Promise<OverviewResponse> {
    const now = this.clock.now();
    // None of these waits for another: a page that is open all day reads them repeatedly.
    const [{ jobs, ended, figures, first }, connection, erpConnection] = await Promise.all([
      this.readExports(installationId),
      this.readConnection.readProgress(installationId),
      this.readErpConnection.read(installationId, language),
    ]);
    const platform = platformHealth(connection, language);
    const erp = erpHealth(erpConnection, language);
    const { issues, inDoubtPostings, discrepancies } = figures;
    const [newest] = jobs;
    const failedExport = newest !== undefined && endedWithoutResults(newest) ? newest : undefined;
    const broken = [platform, erp].filter(({ state }) => state === 'action-needed' || state === 'not-connected');
    return {
      at: now,
      paused: connection.installation.pause ?? null,
      needsAttention:
        issues.count +
        inDoubtPostings.count +
        discrepancies.count +
        broken.length +
        (failedExport === undefined ? 0 : 1),
      failedExport: failedExport === undefined ? null : toJobResponse(failedExport, language),
      issues: {
        ...openWork(issues),
        entries: figures.failedEntries,
        first: first.map((row) => toIssueResponse(row, language)),
      },
      inDoubtPostings: openWork(inDoubtPostings),
      discrepancies: openWork(discrepancies),
      runningJobs: jobs
        .filter(({ state }) => OPEN_STATES.includes(state))
        .map((job) => ({ ...toJobResponse(job, language), secondsLeft: secondsLeft(job, now) }))
        .sort((one, other) => one.secondsLeft - other.secondsLeft),
      lastExports: ended.map((job) => ({
        ...toJobResponse(job, language),
        certificate: badgeOf(figures.certificates.find(({ exportJobId }) => exportJobId === job.id)),
      })),
      nextRuns: { sync: figures.nextSyncAt, reconciliation: figures.nextReconciliationAt },
      platform,
      erp,
    };
  }

  /** The newest exports, those of them that have ended with their certificates, and what is open. */
  private async readExports(installationId: InstallationId) {
    const jobs = await this.exportJobReader.jobs(installationId, undefined, NEWEST_JOBS);
    const ended = jobs.filter(({ state }) => !OPEN_STATES.includes(state)).slice(0, LAST_EXPORTS);
    const endedIds = ended.map(({ id }) => id);
    const figures = await this.overviewReader.readFigures(installationId, endedIds);
    const { largestIssues } = figures;
    const first = largestIssues.length === 0 ? [] : await this.inboxReader.openAmong(installationId, largestIssues);
    return { jobs, ended, figures, first };
  }
}

/** No issue names items that have no result: the export failed as a whole, or its time was over. The next one takes them up. */
function endedWithoutResults({ state, successful, failed, numberOfItems }: JobView): boolean {
  return (state === 'failed' || state === 'expired') && successful + failed < numberOfItems;
}

function openWork({ count, amounts, oldest }: OpenFigures) {
  return { count, amounts: amounts.flatMap(({ currency, minor }) => moneyOf(minor, currency) ?? []), oldest };
}

function secondsLeft({ expiresAt }: JobView, now: Date): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
}

function badgeOf(certificate: CertificateFigures | undefined): CertificateBadgeResponse {
  if (certificate === undefined) {
    const unknown = { sequence: null, planned: null, readBack: null, discrepancies: null };
    return { state: 'waiting', ...unknown, difference: [] };
  }
  const { sequence, planned, erp, discrepancies } = certificate;
  return {
    state: certifiedState(certificate),
    sequence: sequence.toString(),
    planned: planned.entries,
    readBack: erp?.entries ?? null,
    discrepancies,
    difference: erp === null ? [] : differenceOf(planned.totals, erp.totals),
  };
}

function certifiedState({ planned, erp, discrepancies }: CertificateFigures): CertificateBadgeResponse['state'] {
  const isSame = (erp === null || erp.digest === planned.digest) && discrepancies === 0;
  if (planned.entries === 0 && isSame) {
    return 'nothing-posted';
  }
  if (erp === null) {
    return 'not-verifiable';
  }
  return isSame ? 'proved' : 'differs';
}

type Totals = CertificateFigures['planned']['totals'];

function differenceOf(planned: Totals, found: Totals): readonly MoneyResponse[] {
  const debitIn = (totals: Totals, code: string) =>
    BigInt(totals.find(({ currency }) => currency === code)?.debitMinor ?? 0);
  const currencies = [...new Set([...planned, ...found].map(({ currency }) => currency))].sort();
  return currencies.flatMap((code) => moneyOf(debitIn(planned, code) - debitIn(found, code), code) ?? []);
}

function platformHealth({ installation, steps }: ConnectionProgress, language: string): HealthResponse {
  const { state, problem, companyName } = installation;
  const missing = steps.find(({ step }) => step === nextStep(steps));
  const described = (otherwise?: Message) => {
    const detail = problem?.detail ?? otherwise;
    return { name: companyName, lastSuccessAt: null, problem: detail ? localize(language, detail).text : null };
  };
  switch (state) {
    case 'active':
      return { ...described(), state: 'ok', problem: null };
    case 'authorized':
      return { ...described(missing?.detail), state: 'action-needed' };
    case 'needs_reauthorization':
      return { ...described(message('connection.problem.reconnect')), state: 'action-needed' };
    case 'uninstalled':
      return { ...described(), state: 'not-connected' };
  }
}

function erpHealth(reading: ErpConnectionReading | undefined, language: string): HealthResponse {
  if (reading === undefined) {
    const problem = localize(language, message('erp-connection.none')).text;
    return { state: 'not-connected', name: null, problem, lastSuccessAt: null };
  }
  const { connection, limitation, name } = reading;
  const { problem, lastSuccessAt = null } = connection;
  const health = { name, problem: problem === undefined ? null : localizeProblem(language, problem), lastSuccessAt };
  if (connection.state !== 'ok') {
    return { ...health, state: 'action-needed' };
  }
  return { ...health, state: limitation === undefined ? 'ok' : 'limited' };
}
