import { isUuid } from '../../../kernel/ids.js';
import { InvalidPlatformResponse } from '../../platform/platform-error.js';
import type { AccessLevel } from '../domain/installation.js';

/** The owner of a credential. */
export interface CredentialSubject {
  readonly level: AccessLevel;
  /** Id of the company or organization. */
  readonly id: string;
}

// The platform spells `organisation` (P3.1). Its own name in the URN says nothing here, and may be any (RFC 8141 §2).
const URN = /^[Uu][Rr][Nn]:[A-Za-z\d][A-Za-z\d-]{0,30}[A-Za-z\d]:(company|organisation):(.+)$/;

/**
 * Reads a resource URN (P3.1).
 * @throws InvalidPlatformResponse for one that names neither a company nor an organization
 */
export function credentialSubject(urn: string): CredentialSubject {
  const [, kind, id = ''] = URN.exec(urn) ?? [];
  if (!isUuid(id)) {
    throw new InvalidPlatformResponse('the authorization is neither for a company nor for an organization');
  }
  return { level: kind === 'company' ? 'company' : 'organization', id: id.toLowerCase() };
}
