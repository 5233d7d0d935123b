import { seal, unseal, type KeyRing } from './key-ring.js';

/** `<table>.<column>` of every value we encrypt. */
export type SealedColumn =
  | 'credential.access_token'
  | 'credential.refresh_token'
  | 'subscription.endpoint_token'
  | 'subscription.secret'
  | 'connection_attempt.code_verifier';

/** The configured keys, for repositories that store secrets. */
export class KeyRingService {
  constructor(private readonly ring: KeyRing) {}

  /** @param row the tenant or row the value belongs to */
  seal(column: SealedColumn, row: string, plaintext: string): string {
    return seal(this.ring, placeOf(column, row), plaintext);
  }

  /** @throws Permanent when the value does not belong to this place or its key is gone */
  unseal(column: SealedColumn, row: string, sealed: string): string {
    return unseal(this.ring, placeOf(column, row), sealed);
  }
}

function placeOf(column: SealedColumn, row: string) {
  const [table = '', name = ''] = column.split('.');
  return { table, column: name, row };
}
