import type { Company } from '../companies/company.repository.js';
import type { ExportJob, ExportJobItem } from '../exports/export-job.js';
import type { Installation } from '../installations/installation.js';
import { html, type Html } from './html.js';
import { button, layout } from './layout.js';

/** What a bookkeeper sees of an item, read from its wire form. */
export interface ShownItem {
  readonly id: string;
  readonly date: string;
  readonly type: string;
  readonly text: string;
  /** Decimal text with its currency. */
  readonly amount: string;
}

export interface ShownResult extends ExportJobItem {
  readonly item: ShownItem | undefined;
}

export interface ExportsView {
  readonly company: Company;
  readonly notice: string | undefined;
  /** By the simulator's clock. */
  readonly now: Date;
  readonly waiting: readonly ShownItem[];
  readonly waitingCount: number;
  readonly jobs: readonly { readonly job: ExportJob; readonly results: readonly ShownResult[] }[];
  readonly installations: readonly Installation[];
  /** Where connecting starts: the application's own page. */
  readonly applicationUrl: string;
}

const TYPES = [
  'card_purchase',
  'out_of_pocket',
  'refund',
  'fee',
  'cashback',
  'wallet_topup',
  'personal_spend',
];

/** The page of a bookkeeper: what waits, what was exported and how it ended, which app is connected. */
export function exportsPage(view: ExportsView): string {
  const { company, notice, waiting, waitingCount, jobs } = view;
  return layout(
    { title: `Exports of ${company.name}`, company: company.name, notice },
    html`<span data-now="${view.now.getTime()}"></span>
      <section>
        <h2>Waiting for export (${waitingCount})</h2>
        <table>
          <tr>
            <th>Date</th>
            <th>Type</th>
            <th>Text</th>
            <th>Amount</th>
            <th></th>
          </tr>
          ${waiting.map(waitingRow)}
        </table>
        <form method="post" action="/page/export">
          <p>
            <button class="main">Export</button>
            <label><input type="checkbox" name="vendor_based" value="true" /> vendor-based bookkeeping</label>
          </p>
        </form>
      </section>
      ${newExpense(company)} ${jobs.map(({ job, results }) => jobSection(job, results))} ${connection(view)}`,
  );
}

function waitingRow(item: ShownItem): Html {
  return html`<tr>
    ${itemCells(item)}
    <td>${button('/page/expenses/remove', 'Delete', { item_id: item.id })}</td>
  </tr>`;
}

function itemCells({ date, type, text, amount }: ShownItem): Html {
  return html`<td>${date}</td>
    <td>${type}</td>
    <td>${text}</td>
    <td class="amount">${amount}</td>`;
}

function newExpense({ contraAccounts }: Company): Html {
  const [currency = 'EUR'] = Object.keys(contraAccounts);
  const types = TYPES.map((type) => html`<option>${type}</option>`);
  return html`<section>
    <h2>New expense</h2>
    <form method="post" action="/page/expenses">
      <label
        >Type
        <select name="type">
          ${types}
        </select></label
      >
      <label>Supplier <input name="supplier" required maxlength="100" /></label>
      <label
        >Amount
        <input name="amount" required inputmode="decimal" pattern="-?[0-9]{1,12}([.][0-9]{1,2})?" size="10"
      /></label>
      <label
        >Currency <input name="currency" value="${currency}" required pattern="[A-Z]{3}" size="4"
      /></label>
      <label>Account code <input name="account_code" value="4000" maxlength="50" size="8" /></label>
      <label>Note <input name="note" maxlength="200" /></label>
      <button>Create</button>
    </form>
  </section>`;
}

function jobSection(job: ExportJob, results: readonly ShownResult[]): Html {
  const runs = job.status === 'pending' || job.status === 'in_progress';
  const deadline = job.lastUpdatedAt.getTime() + job.expiresIn * 1000;
  const clock = runs
    ? html`<p data-running>
        Expires in
        <strong data-deadline="${deadline}">${new Date(deadline).toISOString()}</strong>
        ${button('/page/cancel', 'Cancel', { job_id: job.id })}
      </p>`
    : html``;
  const reason =
    job.failureReason === null && job.failureReasonType === null
      ? html``
      : html`<p class="failed">${job.failureReason} <code>${job.failureReasonType}</code></p>`;
  return html`<section>
    <h2>Export of ${job.createdAt.toISOString()}: <span class="${job.status}">${job.status}</span></h2>
    <p>${job.numberOfItems} items, job <code>${job.id}</code></p>
    ${clock}${reason}
    <table>
      <tr>
        <th>Date</th>
        <th>Type</th>
        <th>Text</th>
        <th>Amount</th>
        <th>Result</th>
        <th>Entry</th>
        <th>Reason</th>
      </tr>
      ${results.map(resultRow)}
    </table>
  </section>`;
}

function resultRow(result: ShownResult): Html {
  const { item, status, externalId, externalUrl, failureReason, failureReasonType } = result;
  const cells =
    item === undefined
      ? html`<td colspan="4"><code>${result.accountingEntryId}</code></td>`
      : itemCells(item);
  const isLink = externalUrl !== null && /^https?:\/\//.test(externalUrl);
  const entry = isLink
    ? html`<a href="${externalUrl}" rel="noreferrer">${externalId ?? externalUrl}</a>`
    : html`${externalId}`;
  const type = failureReasonType === null ? html`` : html` <code>${failureReasonType}</code>`;
  return html`<tr>
    ${cells}
    <td class="${status}">${status}</td>
    <td>${entry}</td>
    <td>${failureReason}${type}</td>
  </tr>`;
}

function connection({ installations, applicationUrl }: ExportsView): Html {
  const connect = html`<p>
    <a href="${applicationUrl}" rel="noreferrer">Open the application to connect it</a>
  </p>`;
  const rows = installations.map(
    ({ status, errorCode, createdAt }) =>
      html`<tr>
        <td>${status}</td>
        <td>${errorCode}</td>
        <td>${createdAt.toISOString()}</td>
      </tr>`,
  );
  return installations.length === 0
    ? html`<section>
        <h2>Connected applications</h2>
        <p>None.</p>
        ${connect}
      </section>`
    : html`<section>
        <h2>Connected applications</h2>
        <table>
          <tr>
            <th>State</th>
            <th>Error</th>
            <th>Since</th>
          </tr>
          ${rows}
        </table>
        <p>${button('/page/disconnect', 'Disconnect')} ${button('/page/revoke', 'Revoke tokens')}</p>
        ${connect}
      </section>`;
}
