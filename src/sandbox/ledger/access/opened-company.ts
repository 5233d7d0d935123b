import { createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const MAIN_KEY_ONLY = 'ledger:main-key-only';

/** Marks routes of a company that its own keys do not open. */
export const MainKeyOnly = (): CustomDecorator => SetMetadata(MAIN_KEY_ONLY, true);

declare module 'fastify' {
  interface FastifyRequest {
    /** The one company that the key of the request opens; the main key opens all. */
    openedCompanyId?: string;
  }
}

/** The company whose key the request carries; undefined with the main key. */
export const OpenedCompanyId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<FastifyRequest>().openedCompanyId,
);
