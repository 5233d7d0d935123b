import type { Company } from '../companies/company.repository.js';
import type { Installation } from '../installations/installation.js';
import { html, type Html } from '../../../foundation/http/html.js';
import { itemCells, jobSection, MAX_UNFOLDED, type ShownItem, type ShownJob } from './job-section.js';
import { button, layout } from './layout.js';
import { visitorName, type Visitor } from './page-session.js';
import { shownTime, statusBadge, words } from './wording.js';

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
  const { visitor, notice, jobs } = view;
  return layout(
    { title: `Exports of ${visitor.company.name}`, visitor: visitorName(visitor), notice, path: '/' },
    html`<span data-now="${view.now.getTime()}"></span>${connection(view)}${queue(view)}
      ${newExpense(visitor.company)} ${jobs.map(jobSection)}
      <p class="soft">All times are UTC, by the simulator’s clock.</p>`,
  );
}

function queue({ waiting, waitingCount }: ExportsView): Html {
  const rest = waitingCount - MAX_UNFOLDED;
  const folded = html`<details>
    <summary>${rest} more</summary>
    ${waitingTable(waiting.slice(MAX_UNFOLDED))}
  </details>`;
  const unfolded =
    waiting.length === 0
      ? html`<p class="soft">Nothing waits. What fails comes back here.</p>`
      : waitingTable(waiting.slice(0, MAX_UNFOLDED));
  return html`<section>
    <h2>Export queue <small>${waitingCount} waiting</small></h2>
    <form method="post" action="/page/export" class="row">
      <button class="main" ${waitingCount === 0 ? html`disabled` : html``}>Export</button>
      <label class="check"
        ><input type="checkbox" name="vendor_based" value="true" /> vendor-based bookkeeping</label
      >
    </form>
    ${unfolded}${rest > 0 ? folded : html``}
  </section>`;
}

function waitingTable(items: readonly ShownItem[]): Html {
  return html`<table>
    <tr>
      <th>Date</th>
      <th>Type</th>
      <th>Text</th>
      <th class="amount">Amount</th>
      <th></th>
    </tr>
    ${items.map(waitingRow)}
  </table>`;
}

function waitingRow(item: ShownItem): Html {
  return html`<tr>
    ${itemCells(item)}
    <td class="amount">${button('/page/expenses/remove', 'Delete', { item_id: item.id })}</td>
  </tr>`;
}

function newExpense({ contraAccounts }: Company): Html {
  const [currency = 'EUR'] = Object.keys(contraAccounts);
  const types = TYPES.map((type) => html`<option value="${type}">${words(type)}</option>`);
  return html`<section>
    <h2>New expense</h2>
    <form method="post" action="/page/expenses" class="fields">
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

function connection({ installations, initiationUrl }: ExportsView): Html {
  const connect = html`<a class="button" href="${initiationUrl}" rel="noreferrer"
    >Connect the application</a
  >`;
  const rows = installations.map(
    ({ status, errorCode, createdAt }) =>
      html`<span>${statusBadge(status)} ${errorCode} since ${shownTime(createdAt)}</span>`,
  );
  return html`<section>
    <h2>Connected application</h2>
    <div class="row">
      ${
        installations.length === 0
          ? html`<span class="soft">None: what is exported would reach nobody.</span>${connect}`
          : html`${rows} ${button('/page/disconnect', 'Disconnect')}
            ${button('/page/revoke', 'Revoke tokens')}`
      }
    </div>
  </section>`;
}
