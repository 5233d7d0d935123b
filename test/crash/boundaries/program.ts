/** One process that faults are for, or the one that has come in its place. */
export interface Program {
  /** `keys`: the rotation of the keys, which does one thing and ends; all that it asks the database is part of the round. */
  readonly kind: 'api' | 'worker' | 'keys';
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Does something just before a statement of it passes, which waits for that. @param name of the boundary */
  readonly intervene?: (name: string) => Promise<void> | undefined;
}

/** What is done to a program. */
export interface Strike {
  readonly kill: (program: Program) => void;
  /** Lets it stand still for longer than a lease. Resolves when it goes on. */
  readonly stop: (program: Program) => Promise<void>;
}
