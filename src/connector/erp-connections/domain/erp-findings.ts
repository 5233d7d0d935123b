import { message, type Message } from '../../../kernel/message.js';

export const ERP_CHECKS = [
  'sign-in',
  'version',
  'companies',
  'accounts',
  'tax-codes',
  'dimensions',
  'vendors',
  'new-vendors',
  'periods',
  'closed-periods',
  'attachments',
  'posting',
  'drafts',
] as const;

/** Something that was tried with a connection. */
export interface ErpCheck {
  readonly check: (typeof ERP_CHECKS)[number];
  readonly state: 'works' | 'fails' | 'not-tried';
  /** For the customer's administrator. */
  readonly detail: Message;
}

/** What the ERP was found to be and to allow, as it is kept with the connection. */
export interface ErpFindings {
  /** The company that was looked at last, as the ERP names it. */
  readonly company?: string;
  readonly functionalCurrency?: string;
  readonly timeZone?: string;
  /** The newest result of each check; `at` is RFC 3339, UTC. */
  readonly checks: Readonly<Partial<Record<ErpCheck['check'], Omit<ErpCheck, 'check'> & { readonly at: string }>>>;
}

/** What was not tried says nothing new. */
export function findingsOf(checks: readonly ErpCheck[], at: Date, books?: Omit<ErpFindings, 'checks'>): ErpFindings {
  const tried = checks.filter(({ state }) => state !== 'not-tried');
  return {
    ...books,
    checks: Object.fromEntries(
      tried.map(({ check, state, detail }) => [check, { state, detail, at: at.toISOString() }]),
    ),
  };
}

/** The ERP has let the credentials in. @param count of the companies that they open */
export function signInChecks(count: number): readonly ErpCheck[] {
  return [
    { check: 'sign-in', state: 'works', detail: message('erp-check.signed-in') },
    {
      check: 'companies',
      state: count > 0 ? 'works' : 'fails',
      detail: message('erp-check.companies', { count }),
    },
  ];
}

/** What an ERP has said of itself and of the sign-in. */
interface ReportedFacts {
  readonly version?: string;
  readonly may?: Readonly<Partial<Record<'post' | 'attach' | 'create-vendors' | 'post-to-closed-periods', boolean>>>;
}

/** @param can what the adapter declares: a permission does not help where the adapter lacks the capability */
export function factChecks(
  { version, may = {} }: ReportedFacts,
  can: { readonly documents: string; readonly vendorCreation: boolean },
): readonly ErpCheck[] {
  const checks: ErpCheck[] =
    version === undefined
      ? []
      : [{ check: 'version', state: 'works', detail: message('erp-check.version', { version }) }];
  const addCheck = (
    check: ErpCheck['check'],
    isAllowed: boolean | undefined,
    what: keyof NonNullable<ReportedFacts['may']>,
  ) => {
    if (isAllowed !== undefined) {
      const detail = message(`erp-check.${isAllowed ? 'may' : 'may-not'}.${what}`);
      checks.push({ check, state: isAllowed ? 'works' : 'fails', detail });
    }
  };
  addCheck('posting', may.post, 'post');
  if (can.documents === 'none') {
    const detail = message('erp-check.no-receipts');
    checks.push({ check: 'attachments', state: 'not-tried', detail });
  } else {
    addCheck('attachments', may.attach, 'attach');
  }
  if (can.vendorCreation) {
    addCheck('new-vendors', may['create-vendors'], 'create-vendors');
  } else {
    const detail = message('erp-check.no-new-vendors');
    checks.push({ check: 'new-vendors', state: 'not-tried', detail });
  }
  const closed = may['post-to-closed-periods'];
  if (closed !== undefined) {
    const detail = message(closed ? 'erp-check.closed-periods.open' : 'erp-check.closed-periods');
    checks.push({ check: 'closed-periods', state: 'works', detail });
  }
  return checks;
}
