import { fastifyCookie } from '@fastify/cookie';
import type { Provider } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { badRequests } from '../foundation/http/plugins/bad-requests.plugin.js';
import { compression } from '../foundation/http/plugins/compression.plugin.js';
import type { HttpPlugin } from '../foundation/http/http-plugin.js';
import { createHttpProgram } from '../foundation/http/http-program.js';
import { jsonBodies } from '../foundation/http/plugins/json-bodies.plugin.js';
import { KnownRoutes } from '../foundation/http/plugins/known-routes.plugin.js';
import { requestId } from '../foundation/http/plugins/request-id.plugin.js';
import { securityHeaders } from '../foundation/http/plugins/security-headers.plugin.js';
import { homePage } from '../foundation/pages/home-page.plugin.js';
import { ConnectorSite } from './access/connector-site.js';
import { completeApiDocument } from './api/documentation/api-document.js';
import { addExamples } from './api/documentation/document-examples.js';
import { appFiles } from './api/app-page/app-files.plugin.js';
import { fileBodies } from './api/http/file-body-parser.plugin.js';
import { KnownCallers } from './api/http/known-callers.plugin.js';
import { RefusalLog } from './api/http/refusal-log.plugin.js';
import { AppModule, OPENAPI_PATH } from './app.module.js';
import type { ConnectorConfig, ConnectorProgram } from './connector-config.js';
import { RateLimiter } from './limits/rate-limiter.plugin.js';
import { servedRoutes } from './limits/served-routes.plugin.js';
import { bodyTimeout } from './webhooks/body-timeout.plugin.js';

const BODY_LIMIT_BYTES = 256 * 1_024;
/** Twice what the largest request may say: a thousand changes of rules. */
const JSON_BUDGET = { maxDepth: 32, maxValues: 20_000, maxNames: 500 };
/**
 * A response that is not read would keep its connection and its memory for ever. Longer than any response takes, and than the pause
 * between two signs of life of an event stream.
 */
const SILENCE_MS = 120_000;
const DOCUMENTATION_PATH = '/api/docs';

/** In the order in which their hooks see a request: of several that refuse it, the first responds. */
function connectorPlugins(app: NestFastifyApplication, { publicUrl, serves }: ConnectorConfig): readonly HttpPlugin[] {
  const knownCallers = app.get(KnownCallers);
  return [
    app.get(KnownRoutes).plugin,
    // Before any that refuses, so that a refusal bears their headers, too.
    requestId,
    securityHeaders({ overHttps: publicUrl.startsWith('https://'), documentation: DOCUMENTATION_PATH }),
    compression('/api/'),
    servedRoutes(serves),
    // Before any that reads address or headers. A malformed request counts against no quota.
    badRequests({ storableTexts: true }),
    fastifyCookie,
    // Before anything is done for the request: the body of a request above its limit is not waited for.
    app.get(RateLimiter).pluginWith((request) => knownCallers.isKnown(request)),
    bodyTimeout,
    knownCallers.plugin,
    // Bodies are parsed after all of the above, each media type by one parser, so their order is free.
    jsonBodies({ storableTexts: true, budget: JSON_BUDGET }),
    fileBodies,
    app.get(RefusalLog).plugin,
    appFiles,
    homePage(
      'ERP export connector',
      'It takes the exports of an expense platform and posts them to an accounting system, each exactly once.',
      [
        ['/app', 'the page where bookkeepers work'],
        ['/connect', 'connect a company of the platform'],
        ['/operator', 'the page where operators of the service work'],
        [DOCUMENTATION_PATH, 'every operation of the API'],
        ['/problems', 'every problem it responds with, and what to do about it'],
      ],
    ),
  ];
}

/**
 * The connector's public HTTP server, before it listens.
 * @param replacements see `CoreModule`
 */
export async function createConnectorHttp(
  program: ConnectorProgram,
  replacements: readonly Provider[] = [],
): Promise<NestFastifyApplication> {
  const { config, logger } = program;
  if (config.publicUrl.startsWith('https://') && config.trustedProxies.length === 0) {
    const consequence =
      'all clients behind the proxy that speaks https count as one anonymous client: set CONNECTOR_TRUSTED_PROXIES';
    logger.warn({ consequence }, 'proxies.not_named');
  }
  return createHttpProgram({
    module: AppModule.register(program, replacements),
    logger,
    plugins: (app) => connectorPlugins(app, config),
    bodyLimit: BODY_LIMIT_BYTES,
    silenceMs: SILENCE_MS,
    trustedProxies: config.trustedProxies,
    openApi: {
      title: 'ERP export connector',
      description: 'Administration of one installation, by API token; and of the hosted service, by operator token.',
      path: DOCUMENTATION_PATH,
      jsonPath: OPENAPI_PATH,
      complete: (document) =>
        addExamples(completeApiDocument(document, new ConnectorSite(config.publicUrl).cookieName)),
    },
  });
}
