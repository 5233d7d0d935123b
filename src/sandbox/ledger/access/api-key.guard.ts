import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';
import { Problem } from '../../../foundation/http/problem.js';
import { ApiKeyReader } from '../api-keys/api-key.reader.js';
import { companyNotFound } from '../http/not-found.js';
import { LedgerConfig } from '../ledger-config.js';
import { MAIN_KEY_ONLY } from './opened-company.js';
import { prefersPage } from './prefers-page.js';
import { PUBLIC } from './public.decorator.js';

/** The one route without a company in its path that a company's key opens: it shows that company alone. */
const COMPANY_LIST = '/companies';

/** A browser prompts for a name and a password; the name is ignored. */
const SIGN_IN = 'Basic realm="Ledger: the password is a key of the ledger or of the company", charset="UTF-8"';

/** Of a program the bearer token; a person's browser may send the key as a password, and only reads with it. */
function keyOf(authorization: string, isPerson: boolean): string {
  const [, scheme = '', credential = ''] = /^(bearer|basic) (\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credential;
  if (!isPerson) return '';
  const text = Buffer.from(credential, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

/**
 * Accepts a request that carries the ledger's main key as its bearer token, or the key of the company that its path names,
 * and every request to a public route.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly ledgerConfig: LedgerConfig,
    private readonly apiKeyReader: ApiKeyReader,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Problem 401 without a key that is known; 404 for another company than the key's; 403 for what it never opens */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(context, PUBLIC)) {
      return true;
    }
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
    const isPerson = prefersPage(request);
    const key = keyOf(request.headers.authorization ?? '', isPerson);
    if (isSameSecret(this.ledgerConfig.apiKey.reveal(), key)) {
      return true;
    }
    const openedCompanyId = key === '' ? undefined : await this.apiKeyReader.findCompany(key);
    if (openedCompanyId === undefined) {
      throw new Problem({
        status: 401,
        type: 'not-authenticated',
        detail: 'Send a key of the ledger as "Authorization: Bearer <key>".',
        headers: { 'www-authenticate': isPerson ? SIGN_IN : 'Bearer' },
      });
    }
    const { companyId } = request.params;
    if (companyId !== undefined && companyId.toLowerCase() !== openedCompanyId) {
      throw companyNotFound(companyId);
    }
    const isList = companyId === undefined && request.routeOptions.url === COMPANY_LIST;
    if (this.isMarked(context, MAIN_KEY_ONLY) || (companyId === undefined && !isList)) {
      throw new Problem({ status: 403, type: 'main-key-only', detail: 'Only the main key of the ledger opens this.' });
    }
    request.openedCompanyId = openedCompanyId;
    return true;
  }

  private isMarked(context: ExecutionContext, mark: string): boolean {
    return (
      this.reflector.getAllAndOverride<boolean | undefined>(mark, [context.getHandler(), context.getClass()]) === true
    );
  }
}
