import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { badRequests } from '../../../foundation/http/plugins/bad-requests.plugin.js';
import type { HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { jsonBodies } from '../../../foundation/http/plugins/json-bodies.plugin.js';
import { KnownRoutes } from '../../../foundation/http/plugins/known-routes.plugin.js';
import { requestId } from '../../../foundation/http/plugins/request-id.plugin.js';
import { securityHeaders } from '../../../foundation/http/plugins/security-headers.plugin.js';
import { RequestGate } from '../control/request-gate.plugin.js';
import { DatePlugin } from './date.plugin.js';
import { FailurePlugin } from './failure.plugin.js';
import { OAuthPlugin } from './oauth.plugin.js';
import { formBodies, requestForms } from './request-forms.plugin.js';
import { RequestLogPlugin } from './request-log.plugin.js';

const JSON_BUDGET = { maxDepth: 100, maxValues: 2_000_000, maxNames: 1_000 };

/**
 * In the order in which their hooks see a request: of several that respond to it, the first does.
 * @param documentation path of the OpenAPI page
 */
export function simulatorPlugins(app: NestFastifyApplication, documentation: string): readonly HttpPlugin[] {
  return [
    app.get(KnownRoutes).plugin,
    // Before any that looks at what a reset drops.
    app.get(RequestGate).plugin,
    // Before any that responds, so that refusals and failures bear their headers, too.
    requestId,
    securityHeaders({ overHttps: false, documentation }),
    app.get(DatePlugin).plugin,
    // A malformed request uses up no failure.
    badRequests({ storableTexts: true }),
    requestForms,
    app.get(FailurePlugin).plugin,
    app.get(RequestGate).refusingPlugin,
    app.get(RequestLogPlugin).plugin,
    // Bodies and routes come after all hooks.
    jsonBodies({ storableTexts: true, budget: JSON_BUDGET }),
    formBodies,
    app.get(OAuthPlugin).plugin,
  ];
}
