import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { CompleteConnection, type CompletedConnection } from './complete-connection.js';
import { CompleteSignIn, type CompletedSignIn } from './complete-sign-in.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';

/** `sign-in-anew`: the platform does not take the request for a recent authentication, so the person signs in without it. */
export interface RefusedAuthorization {
  readonly outcome: 'denied' | 'sign-in-denied' | 'sign-in-anew';
}

export type CompletedAuthorization = CompletedConnection | CompletedSignIn;

/** Second step of what `BeginAuthorization` started: the browser returns from the platform. */
@Injectable()
export class CompleteAuthorization {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly completeConnection: CompleteConnection,
    private readonly completeSignIn: CompleteSignIn,
  ) {}

  /**
   * @param query of the callback; has exactly one `state` and one `code`
   * @param browser secret from the attempt's cookie
   */
  async complete(query: URLSearchParams, browser: string): Promise<CompletedAuthorization> {
    const state = query.get('state') ?? '';
    const attempt = await this.tenantDatabase.withoutInstallation('consume connection attempt', (tx) =>
      this.connectionAttemptRepository.consume(tx, state, browser),
    );
    switch (attempt?.purpose) {
      case undefined:
        return { outcome: 'attempt-unknown' };
      case 'connect':
        return this.completeConnection.complete(query, attempt.codeVerifier);
      case 'sign-in':
      case 'sign-in-again':
        return this.completeSignIn.complete(query, attempt.codeVerifier, attempt.purpose);
    }
  }

  /** @param query of a callback with an `error` (RFC 6749 §4.1.2.1) */
  async refuse(query: URLSearchParams, browser: string): Promise<RefusedAuthorization> {
    const attempt = await this.tenantDatabase.withoutInstallation('consume refused attempt', (tx) =>
      this.connectionAttemptRepository.consume(tx, query.get('state') ?? '', browser),
    );
    switch (attempt?.purpose) {
      case undefined:
      case 'connect':
        return { outcome: 'denied' };
      case 'sign-in':
        return { outcome: 'sign-in-denied' };
      case 'sign-in-again':
        return { outcome: query.get('error') === 'invalid_request' ? 'sign-in-anew' : 'sign-in-denied' };
    }
  }
}
