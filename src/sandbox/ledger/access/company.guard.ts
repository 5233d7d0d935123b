import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { CompanyRepository } from '../companies/company.repository.js';

/** Lets a request pass whose path names a company that exists. */
@Injectable()
export class CompanyGuard implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
  ) {}

  /** @throws Problem 404 for an unknown company */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
    const companyId = params['companyId'] ?? '';
    const exists =
      isUuid(companyId) &&
      (await this.database.inTransaction('company.exists', (tx) =>
        this.companyRepository.exists(tx, companyId),
      ));
    if (!exists) {
      throw new Problem({
        status: 404,
        type: 'company-not-found',
        detail: `There is no company ${companyId}.`,
      });
    }
    return true;
  }
}
