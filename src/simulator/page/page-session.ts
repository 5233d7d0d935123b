import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Database } from '../../foundation/database/database.js';
import { isUuid } from '../../kernel/ids.js';
import { CompanyRepository, type Company } from '../companies/company.repository.js';

const COOKIE = 'simulator_company';

/**
 * Whose bookkeeper somebody is. There are no passwords in a sandbox: the cookie names the company, and whoever reaches the
 * page may pick any.
 */
@Injectable()
export class PageSession {
  constructor(
    private readonly companies: CompanyRepository,
    private readonly database: Database,
  ) {}

  /** The company somebody is signed in for, if it still exists. */
  async company(request: FastifyRequest): Promise<Company | undefined> {
    const id = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
    return isUuid(id) ? this.find(id) : undefined;
  }

  async find(id: string): Promise<Company | undefined> {
    const [company] = await this.database.inTransaction('find company of page', (tx) =>
      this.companies.findByIds(tx, [id]),
    );
    return company;
  }

  signIn(reply: FastifyReply, companyId: string): void {
    void reply.header('set-cookie', `${COOKIE}=${companyId}; Path=/; HttpOnly; SameSite=Strict`);
  }

  signOut(reply: FastifyReply): void {
    void reply.header('set-cookie', `${COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
  }
}
