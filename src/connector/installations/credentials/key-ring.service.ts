import { seal, unseal, type KeyRing, type SealedLocation } from './key-ring.js';

/** `<table>.<column>` of every value we encrypt. */
export type SealedColumn =
  | 'credential.access_token'
  | 'credential.refresh_token'
  | 'subscription.endpoint_token'
  | 'subscription.secret'
  | 'subscription.previous_secret'
  | 'subscription.header_value'
  | 'connection_attempt.code_verifier'
  | 'connection_attempt.grant_tokens'
  | 'connection_attempt.arrival'
  | 'idempotency_key.answer'
  | 'operator_idempotency_key.answer'
  | 'alert_setting.webhook_secret'
  | 'alert_setting.sealed_address'
  | 'data_key.wrapped_key';

/** The configured keys. They wrap the data keys of installations, and seal what belongs to no installation yet. */
export class KeyRingService {
  constructor(private readonly ring: KeyRing) {}

  /** Id of the key that wraps from now on. */
  get primary(): string {
    return this.ring.primary;
  }

  /** @param row the tenant or row the value belongs to */
  seal(column: SealedColumn, row: string, plaintext: string): string {
    return seal(this.ring, sealedPlaceOf(column, row), plaintext);
  }

  /** @throws Permanent when the value does not belong to this place or its key is gone */
  unseal(column: SealedColumn, row: string, sealed: string): string {
    return unseal(this.ring, sealedPlaceOf(column, row), sealed);
  }
}

/** Where a sealed value belongs: it cannot be opened as another column's or another row's. */
export function sealedPlaceOf(column: SealedColumn, row: string): SealedLocation {
  const [table = '', name = ''] = column.split('.');
  return { table, column: name, row };
}
