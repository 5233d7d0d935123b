import { seal, unseal, type KeyRing, type SealedLocation } from './key-ring.js';

/** `<table>.<column>` of every value we encrypt. */
export type SealedColumn =
  | 'credential.access_token'
  | 'credential.refresh_token'
  | 'credential.erp_access_token'
  | 'credential.erp_refresh_token'
  | 'subscription.endpoint_token'
  | 'subscription.secret'
  | 'subscription.previous_secret'
  | 'subscription.header_value'
  | 'connection_attempt.code_verifier'
  | 'connection_attempt.grant_tokens'
  | 'connection_attempt.pending_sign_in'
  | 'idempotency_key.answer'
  | 'operator_idempotency_key.answer'
  | 'alert_setting.webhook_secret'
  | 'alert_setting.sealed_address'
  | 'data_key.wrapped_key'
  | 'erp_connection.sealed_secrets'
  | 'erp_value.sealed_value'
  | 'erp_sign_in.sealed_request';

/** The configured keys. They wrap the data keys of installations, and encrypt what belongs to no installation yet. */
export class KeyRingService {
  constructor(private readonly ring: KeyRing) {}

  /** Id of the first key, which encrypts; the others only decrypt. */
  get primary(): string {
    return this.ring.primary;
  }

  /** @param row tenant or row that owns the value */
  seal(column: SealedColumn, row: string, plaintext: string): string {
    return seal(this.ring, sealedLocationOf(column, row), plaintext);
  }

  /** @throws Permanent when the value belongs to another location, or its key is not configured any more */
  unseal(column: SealedColumn, row: string, sealed: string): string {
    return unseal(this.ring, sealedLocationOf(column, row), sealed);
  }
}

/** @param row tenant or row that owns the value; it cannot be decrypted as another column's or another row's */
export function sealedLocationOf(column: SealedColumn, row: string): SealedLocation {
  const [table = '', name = ''] = column.split('.');
  return { table, column: name, row };
}
