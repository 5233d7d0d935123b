import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Secret } from '../../foundation/config/secret.js';
import { Database } from '../../foundation/database/database.js';
import { createHttpProgram } from '../../foundation/http/http-program.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { MAX_ATTACHMENT_BYTES, MEDIA_TYPES } from './attachments/attachment.dto.js';
import { LedgerModule } from './ledger.module.js';

/** The role the ledger works as; it owns nothing, so the schema's rules bind it. */
const APP_ROLE = 'ledger_app';
/** 500 groups with all their entries and lines. */
const BODY_LIMIT = 16 * 1024 * 1024;
/** A document may come at the pace of whoever it is fetched from. */
const REQUEST_TIMEOUT_MS = 180_000;

export interface LedgerProgram {
  readonly app: NestFastifyApplication;
  /** Stops accepting requests, finishes those in flight, and closes the database. */
  readonly close: () => Promise<void>;
}

/**
 * Connects the ledger to its database and builds its application, not yet listening.
 * @throws the driver's error when the database cannot be reached or has no such role: it was never migrated
 */
export async function openLedger(options: {
  readonly databaseUrl: string;
  readonly apiKey: Secret;
  readonly logger: Logger;
}): Promise<LedgerProgram> {
  const database = await Database.connect({
    url: options.databaseUrl,
    schema: 'ledger',
    role: APP_ROLE,
    applicationName: 'ledger',
    poolSize: 10,
  });
  const app = await createHttpProgram({
    module: LedgerModule.register({ database, apiKey: options.apiKey }),
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
  return {
    app,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

/** Documents are kept as they come: their bytes are never read as anything else. */
function acceptDocuments(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('text/plain');
  const limits = { parseAs: 'buffer', bodyLimit: MAX_ATTACHMENT_BYTES } as const;
  fastify.addContentTypeParser(MEDIA_TYPES, limits, (_request, body, done) => {
    done(null, body);
  });
}
