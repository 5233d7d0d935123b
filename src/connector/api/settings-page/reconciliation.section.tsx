import { Fragment } from 'react';
import { Table } from '../../../foundation/pages/table.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { actionsOf } from '../../reconciliation/domain/discrepancy-class.js';
import type { RunView } from '../../reconciliation/domain/reconciliation-run.js';
import type { DiscrepancyView, OpenDiscrepancyClass } from '../../reconciliation/domain/discrepancy-view.js';
import type { ReconciliationStatus } from '../../reconciliation/reconciliation.reader.js';
import { MAX_NOTE_LENGTH } from '../reconciliation/reconciliation.dto.js';
import { MoreNote, SettingsForm, shownTime } from './settings-layout.js';

const DAY_MS = 86_400_000;
const RUN_MARKS: Readonly<Record<string, string>> = { failed: 'open', completed: 'done' };

export interface ReconciliationView {
  readonly status: Pick<ReconciliationStatus, 'nextRunAt' | 'alertAfterDays' | 'overdueDiscrepancies'>;
  readonly lastRun: RunView | undefined;
  readonly classes: readonly OpenDiscrepancyClass[];
  /** The oldest open ones. */
  readonly discrepancies: readonly DiscrepancyView[];
  readonly hasMore: boolean;
  /** `YYYY-MM`, whose month ends are linked. */
  readonly months: readonly string[];
  readonly now: Date;
}

export interface ReconciliationSectionProps {
  readonly view: ReconciliationView;
  /** Undefined for a caller who may only read. */
  readonly csrfToken: string | undefined;
}

/** Whether platform, connector and ERP agree, and what can be done about open discrepancies. */
export function ReconciliationSection({ view, csrfToken }: ReconciliationSectionProps) {
  const { status, lastRun, classes, discrepancies, hasMore, months, now } = view;
  return (
    <section id="reconciliation">
      <h2>Reconciliation</h2>
      <dl>
        <dt>Last comparison</dt>
        <dd>{lastRun === undefined ? 'none yet' : <RunText run={lastRun} />}</dd>
        <dt>Next scheduled comparison</dt>
        <dd>{status.nextRunAt === null ? 'not scheduled yet' : shownTime(status.nextRunAt)}</dd>
        <dt>Month end</dt>
        <dd>
          {months.map((month) => (
            <Fragment key={month}>
              <a href={`/api/v1/month-ends/${month}?format=html`}>{month}</a>{' '}
            </Fragment>
          ))}
        </dd>
      </dl>
      {classes.length === 0 ? (
        <p>
          <span className="mark done">empty</span> No discrepancy is open.
        </p>
      ) : (
        <>
          <ClassTable {...view} />
          {discrepancies.map((discrepancy) => (
            <Discrepancy key={discrepancy.id} discrepancy={discrepancy} now={now} csrfToken={csrfToken} />
          ))}
        </>
      )}
      {hasMore && <MoreNote request="GET /api/v1/discrepancies" />}
    </section>
  );
}

function RunText({ run }: { readonly run: RunView }) {
  const { kind, state, finishedAt, requestedAt, items, discrepancies, repaired, failure } = run;
  return (
    <>
      {shownTime(finishedAt ?? requestedAt)}, {kind === 'job' ? 'of one job' : 'of all jobs'}:{' '}
      <span className={`mark ${RUN_MARKS[state] ?? ''}`}>{state}</span>{' '}
      {`${items.toString()} entries, ${discrepancies.toString()} discrepancies, ${repaired.toString()} resolved. `}
      {failure !== null && <span className="soft">{failure}</span>}
    </>
  );
}

function ClassTable({ classes, status, now }: ReconciliationView) {
  return (
    <>
      <Table columns={['Open discrepancies', 'How many', 'Oldest']}>
        {classes.map((each) => (
          <tr key={each.class}>
            <td>
              <a href={`/api/v1/discrepancies?class=${each.class}`}>{words(each.class)}</a>
            </td>
            <td className="number">{each.count}</td>
            <td>{ageText(each.oldestSeenAt, now)}</td>
          </tr>
        ))}
      </Table>
      {status.overdueDiscrepancies > 0 && (
        <p className="notice">
          {status.overdueDiscrepancies} have been open for more than {status.alertAfterDays} days.
        </p>
      )}
    </>
  );
}

interface DiscrepancyProps extends Pick<ReconciliationSectionProps, 'csrfToken'> {
  readonly discrepancy: DiscrepancyView;
  readonly now: Date;
}

function Discrepancy({ discrepancy, now, csrfToken }: DiscrepancyProps) {
  const { id, subject, firstSeenAt, evidence, note, reexportId } = discrepancy;
  return (
    <article>
      <p>
        <strong>{words(discrepancy.class)}</strong> <code>{subject}</code> {amountText(discrepancy)}{' '}
        <span className="soft">{ageText(firstSeenAt, now)}</span>
      </p>
      {evidence.refusal !== undefined && <p className="notice">{evidence.refusal}</p>}
      {reexportId !== null && <p className="soft">A re-export was requested: {note}</p>}
      {csrfToken !== undefined && (
        <SettingsForm csrfToken={csrfToken} path={`discrepancies/${id}/actions`}>
          <label>
            Why <input name="note" required maxLength={MAX_NOTE_LENGTH} />
          </label>{' '}
          {actionsOf(discrepancy.class).map((action) => (
            <Fragment key={action}>
              <button name="action" value={action}>
                {words(action)}
              </button>{' '}
            </Fragment>
          ))}
        </SettingsForm>
      )}
    </article>
  );
}

function amountText({ amountMinor, currency: code }: DiscrepancyView): string {
  const currency = code === null ? undefined : parseCurrency(code);
  return amountMinor === null || currency === undefined
    ? ''
    : `${formatMinor(BigInt(amountMinor), currency)} ${currency}`;
}

function ageText(since: Date, now: Date): string {
  const days = Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS));
  return days === 0 ? 'since today' : days === 1 ? 'for a day' : `for ${days.toString()} days`;
}

function words(name: string): string {
  return name === 're-export' ? 'export again' : name.replaceAll('-', ' ');
}
