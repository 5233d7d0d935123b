import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DatePlugin } from './date.plugin.js';
import { FailurePlugin } from './failure.plugin.js';
import type { HttpPlugin } from './http-plugin.js';
import { OAuthPlugin } from './oauth.plugin.js';
import { RequestLogPlugin } from './request-log.plugin.js';

/** In the order in which their hooks see a request: a failure bears the date, and the log names the failure. */
const PLUGINS: readonly Type<HttpPlugin>[] = [DatePlugin, FailurePlugin, RequestLogPlugin, OAuthPlugin];

/** Registers the plugins; before the application listens. */
export function registerPlugins(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  for (const plugin of PLUGINS) {
    app.get<HttpPlugin>(plugin, { strict: false }).register(fastify);
  }
}
