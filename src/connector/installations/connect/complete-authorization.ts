import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { CompleteConnection, type CompletedConnection } from './complete-connection.js';
import { CompleteSignIn, type CompletedSignIn } from './complete-sign-in.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';

export type CompletedAuthorization = CompletedConnection | CompletedSignIn;

/** Second step of whatever `BeginAuthorization` began: the browser is back. */
@Injectable()
export class CompleteAuthorization {
  constructor(
    private readonly database: TenantDatabase,
    private readonly attempts: ConnectionAttemptRepository,
    private readonly connection: CompleteConnection,
    private readonly signIn: CompleteSignIn,
  ) {}

  /**
   * @param query of the callback; has exactly one `state` and one `code`
   * @param browser secret from the cookie that was set at the beginning
   */
  async run(query: URLSearchParams, browser: string): Promise<CompletedAuthorization> {
    const state = query.get('state') ?? '';
    const attempt = await this.database.withoutInstallation('take connection attempt', (tx) =>
      this.attempts.take(tx, state, browser),
    );
    switch (attempt?.purpose) {
      case undefined:
        return { outcome: 'attempt-unknown' };
      case 'connect':
        return this.connection.run(query, attempt.codeVerifier);
      case 'sign-in':
        return this.signIn.run(query, attempt.codeVerifier);
    }
  }
}
