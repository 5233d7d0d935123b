/** Something that was tried with a connection. */
export interface ErpCheck {
  readonly check: 'sign-in' | 'companies' | 'accounts' | 'tax-codes' | 'dimensions' | 'vendors' | 'periods' | 'posting';
  readonly state: 'works' | 'fails' | 'not-tried';
  /** A sentence for the customer's administrator. */
  readonly detail: string;
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
    { check: 'sign-in', state: 'works', detail: 'The accounting system accepts the credentials.' },
    {
      check: 'companies',
      state: count > 0 ? 'works' : 'fails',
      detail: `The credentials open ${count.toString()} ${count === 1 ? 'company' : 'companies'}.`,
    },
  ];
}
