import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CompanyReader } from '../companies/company.reader.js';
import { companyNotFound } from '../http/not-found.js';

/** Accepts a request whose path names an existing company. */
@Injectable()
export class CompanyGuard implements CanActivate {
  constructor(private readonly companyReader: CompanyReader) {}

  /** @throws Problem 404 for an unknown company */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
    const companyId = params['companyId'] ?? '';
    if (!(await this.companyReader.exists(companyId))) {
      throw companyNotFound(companyId);
    }
    return true;
  }
}
