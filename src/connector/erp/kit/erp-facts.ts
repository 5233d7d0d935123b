/** What an ERP says of itself and of those who sign in to it; what it does not say is left out. */
export interface ErpFacts {
  /** As people know it, for instance "6.0.29". */
  readonly version?: string;
  /** What the sign-in of the connection may do there. */
  readonly may?: Readonly<Partial<Record<ErpPermission, boolean>>>;
}

export type ErpPermission = 'post' | 'attach' | 'create-vendors' | 'post-to-closed-periods';
