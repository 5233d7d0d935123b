import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify';

/** A part of the server beside Nest's routes: hooks around every request, parsers of bodies, or routes of its own. */
export type HttpPlugin = FastifyPluginCallback | FastifyPluginAsync;
