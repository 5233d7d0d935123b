import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Secret } from '../../foundation/config/secret.js';
import { createHttpProgram } from '../../foundation/http/http-program.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { MAX_ATTACHMENT_BYTES, MEDIA_TYPES } from './attachments/attachment.dto.js';
import { LedgerModule } from './ledger.module.js';

/** 500 groups with all their entries and lines. */
const BODY_LIMIT = 16 * 1024 * 1024;
/** A document arrives at the pace of the server that it is fetched from. */
const REQUEST_TIMEOUT_MS = 180_000;

/**
 * Builds the ledger's application, connected to its database and not yet listening. Closing it closes the database.
 * @throws the driver's error when the database cannot be reached or was never migrated
 */
export async function openLedger(options: {
  readonly databaseUrl: string;
  readonly apiKey: Secret;
  readonly logger: Logger;
}): Promise<NestFastifyApplication> {
  const app = await createHttpProgram({
    module: LedgerModule.register(options),
    logger: options.logger,
    bodyLimit: BODY_LIMIT,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    openApi: {
      title: 'Ledger',
      description: 'A small double-entry system: the books that the connector writes to.',
      path: 'docs',
      jsonPath: 'openapi.json',
    },
  });
  acceptDocuments(app.getHttpAdapter().getInstance());
  return app;
}

/** Bodies of these media types stay bytes: documents are stored as they were sent. */
function acceptDocuments(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('text/plain');
  const limits = { parseAs: 'buffer', bodyLimit: MAX_ATTACHMENT_BYTES } as const;
  fastify.addContentTypeParser(MEDIA_TYPES, limits, (_request, body, done) => {
    done(null, body);
  });
}
