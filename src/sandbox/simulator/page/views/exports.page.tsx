import type { Company } from '../../companies/company.repository.js';
import type { Installation } from '../../installations/installation.js';
import {
  ItemCells,
  ItemTable,
  JobSection,
  MAX_UNFOLDED,
  shownOf,
  type ShownItem,
  type ShownJob,
} from './job-section.js';
import { ButtonForm, layout } from './layout.js';
import { visitorName, type Visitor } from '../page-session.js';
import { Options, StatusBadge, Time } from './wording.js';

export interface ExportsView {
  readonly visitor: Visitor;
  readonly notice: string | undefined;
  /** By the simulator's clock. */
  readonly now: Date;
  readonly waiting: readonly ShownItem[];
  readonly waitingCount: number;
  readonly jobs: readonly ShownJob[];
  readonly installations: readonly Installation[];
  /** Where connecting starts: a page of the application. */
  readonly initiationUrl: string;
}

const TYPES = ['card_purchase', 'out_of_pocket', 'refund', 'fee', 'cashback', 'wallet_topup', 'personal_spend'];

/** The page of a bookkeeper: the export queue, the newest exports with their results, the connected application. */
export function exportsPage(view: ExportsView): string {
  const { visitor, notice, now, jobs } = view;
  return layout(
    { title: `Exports of ${visitor.company.name}`, visitor: visitorName(visitor), notice, path: '/' },
    <>
      <span data-now={now.getTime()} />
      <Connection {...view} />
      <Queue {...view} />
      <NewExpense {...visitor.company} />
      {jobs.map((shown) => (
        <JobSection key={shown.job.id} {...shown} />
      ))}
      <p className="soft">All times are UTC, by the simulator’s clock.</p>
    </>,
  );
}

function Queue({ waiting, waitingCount }: ExportsView) {
  const rest = waiting.slice(MAX_UNFOLDED);
  const restCount = waitingCount - MAX_UNFOLDED;
  return (
    <section>
      <h2>
        Export queue <small>{waitingCount} waiting</small>
      </h2>
      <form method="post" action="/page/export" className="row">
        <button className="main" disabled={waitingCount === 0}>
          Export
        </button>
        <label className="check">
          <input type="checkbox" name="vendor_based" value="true" /> vendor-based bookkeeping
        </label>
      </form>
      {waiting.length === 0 ? (
        <p className="soft">The queue is empty. Items that fail return to it.</p>
      ) : (
        <WaitingTable items={waiting.slice(0, MAX_UNFOLDED)} />
      )}
      {restCount > 0 && (
        <details>
          <summary>{shownOf(`${restCount.toString()} more`, rest.length, restCount)}</summary>
          <WaitingTable items={rest} />
        </details>
      )}
    </section>
  );
}

function WaitingTable({ items }: { readonly items: readonly ShownItem[] }) {
  return (
    <ItemTable columns={['']}>
      {items.map((item) => (
        <tr key={item.id}>
          <ItemCells {...item} />
          <td className="amount">
            <ButtonForm action="/page/expenses/remove" label="Delete" fields={{ item_id: item.id }} />
          </td>
        </tr>
      ))}
    </ItemTable>
  );
}

function NewExpense({ contraAccounts }: Company) {
  const [currency = 'EUR'] = Object.keys(contraAccounts);
  return (
    <section>
      <h2>New expense</h2>
      <form method="post" action="/page/expenses" className="fields">
        <label>
          Type{' '}
          <select name="type">
            <Options values={TYPES} />
          </select>
        </label>
        <label>
          Supplier <input name="supplier" required maxLength={100} />
        </label>
        <label>
          Amount <input name="amount" required inputMode="decimal" pattern="-?[0-9]{1,12}([.][0-9]{1,2})?" size={10} />
        </label>
        <label>
          Currency <input name="currency" defaultValue={currency} required pattern="[A-Z]{3}" size={4} />
        </label>
        <label>
          Account code <input name="account_code" defaultValue="4000" maxLength={50} size={8} />
        </label>
        <label>
          Note <input name="note" maxLength={200} />
        </label>
        <button>Create</button>
      </form>
    </section>
  );
}

function Connection({ installations, initiationUrl }: ExportsView) {
  // A person who signs in at an application authorizes it, too: that alone connects nothing.
  const isConnected = installations.some(({ status }) => status !== 'AUTHORIZED');
  return (
    <section>
      <h2>Connected application</h2>
      <div className="row">
        {installations.length === 0 ? (
          <span className="soft">None: no application would receive an export.</span>
        ) : null}
        {isConnected ? null : (
          <a className="button" href={initiationUrl} rel="noreferrer">
            Connect the application
          </a>
        )}
        {installations.length === 0 ? null : (
          <>
            {installations.map(({ id, status, errorCode, createdAt }) => (
              <span key={id}>
                <StatusBadge status={status} /> {errorCode} since <Time instant={createdAt} />
              </span>
            ))}
            <ButtonForm action="/page/disconnect" label="Disconnect" />
            <ButtonForm action="/page/revoke" label="Revoke tokens" />
          </>
        )}
      </div>
    </section>
  );
}
