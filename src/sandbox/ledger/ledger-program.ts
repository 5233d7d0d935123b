import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { badRequests } from '../../foundation/http/plugins/bad-requests.plugin.js';
import { httpPlugin, type HttpPlugin } from '../../foundation/http/http-plugin.js';
import { createHttpProgram } from '../../foundation/http/http-program.js';
import { jsonBodies } from '../../foundation/http/plugins/json-bodies.plugin.js';
import { Problem } from '../../foundation/http/problem.js';
import { KnownRoutes } from '../../foundation/http/plugins/known-routes.plugin.js';
import { requestId } from '../../foundation/http/plugins/request-id.plugin.js';
import { securityHeaders } from '../../foundation/http/plugins/security-headers.plugin.js';
import { homePage } from '../../foundation/pages/home-page.plugin.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { MAX_ATTACHMENT_BYTES, MEDIA_TYPES } from './attachments/attachment.dto.js';
import type { LedgerConfig } from './ledger-config.js';
import { LedgerModule, OPENAPI_PATH } from './ledger.module.js';
import { NEW_COMPANY_PATH } from './new-company/new-company.path.js';

/** 500 groups with all their entries and lines. */
const BODY_LIMIT = 16 * 1024 * 1024;
/** As many as fit into it, if each is a line's code or amount. */
const JSON_BUDGET = { maxDepth: 32, maxValues: 2_000_000, maxNames: 500 };
/** A document arrives at the pace of the server that it is fetched from. */
const REQUEST_TIMEOUT_MS = 180_000;
const DOCUMENTATION_PATH = '/docs';

/** Bodies of these media types stay bytes: documents are stored as they were sent. */
const documentBodies: HttpPlugin = httpPlugin('document-bodies', (fastify, _options, done) => {
  fastify.removeContentTypeParser('text/plain');
  const limits = { parseAs: 'buffer', bodyLimit: MAX_ATTACHMENT_BYTES } as const;
  fastify.addContentTypeParser(MEDIA_TYPES, limits, (_request, body, parsed) => {
    parsed(null, body);
  });
  done();
});

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 16_384;

/** Forms come to the sign-in (RFC 6749) and the page of a new company alone. */
const formBodies: HttpPlugin = httpPlugin('form-bodies', (fastify, _options, done) => {
  fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (request, body, parsed) => {
    const { url = '' } = request.routeOptions;
    if (url.startsWith('/oauth/') || url === NEW_COMPANY_PATH) {
      parsed(null, Object.fromEntries(new URLSearchParams(body.toString())));
    } else {
      parsed(
        new Problem({ status: 415, type: 'unsupported-media-type', detail: 'This route takes application/json.' }),
      );
    }
  });
  done();
});

/** In the order in which their hooks see a request: of several that refuse it, the first responds. */
function ledgerPlugins(app: NestFastifyApplication): readonly HttpPlugin[] {
  return [
    app.get(KnownRoutes).plugin,
    // Before any that refuses, so that a refusal bears their headers, too.
    requestId,
    securityHeaders({ overHttps: false, documentation: DOCUMENTATION_PATH }),
    badRequests({ storableTexts: false }),
    // Bodies are parsed after all of the above, each media type by one parser, so their order is free.
    jsonBodies({ storableTexts: false, budget: JSON_BUDGET }),
    documentBodies,
    homePage(
      'Ledger',
      'A small double-entry system: the books that the connector writes to. Keys open it; a browser takes one as the password.',
      [
        [DOCUMENTATION_PATH, 'every operation, to try'],
        [NEW_COMPANY_PATH, 'a new company, with its chart, periods and key'],
        ['/companies', 'its companies'],
        ['/health', 'whether it is up'],
      ],
    ),
    formBodies,
  ];
}

/**
 * Builds the ledger's application, connected to its database and not yet listening. Closing it closes the database.
 * @throws the driver's error when the database cannot be reached or was never migrated
 */
export async function openLedger(config: LedgerConfig, logger: Logger): Promise<NestFastifyApplication> {
  return createHttpProgram({
    module: LedgerModule.register(config, logger),
    logger,
    plugins: ledgerPlugins,
    bodyLimit: BODY_LIMIT,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    openApi: {
      title: 'Ledger',
      description: 'A small double-entry system: the books that the connector writes to.',
      path: DOCUMENTATION_PATH,
      jsonPath: OPENAPI_PATH,
    },
  });
}
