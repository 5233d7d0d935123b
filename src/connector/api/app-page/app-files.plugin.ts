import { join } from 'node:path';
import { fastifyStatic } from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { PROJECT_ROOT } from '../../../foundation/process/project-root.js';

/** Where `npm run build:web` has put the page. */
export const APP_DIST = join(PROJECT_ROOT, 'web/dist');

/** Scripts and styles of the page: their names hold a hash of their content, so that a browser keeps them for good. */
export const appFiles: HttpPlugin = httpPlugin('app-files', async (fastify: FastifyInstance) => {
  await fastify.register(fastifyStatic, {
    root: `${APP_DIST}/assets`,
    prefix: '/app/assets/',
    decorateReply: false,
    index: false,
    // The build has compressed them: .br and .gz beside each.
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  });
});
