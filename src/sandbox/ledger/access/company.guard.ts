import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyReader } from '../companies/company.reader.js';

/** Accepts a request whose path names an existing company. */
@Injectable()
export class CompanyGuard implements CanActivate {
  constructor(private readonly companyReader: CompanyReader) {}

  /** @throws Problem 404 for an unknown company */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
    const companyId = params['companyId'] ?? '';
    if (!(await this.companyReader.exists(companyId))) {
      throw new Problem({
        status: 404,
        type: 'company-not-found',
        detail: `There is no company ${companyId}.`,
      });
    }
    return true;
  }
}
