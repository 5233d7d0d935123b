import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';

/** A part of the server beside Nest's routes: hooks around every request, parsers of bodies, or routes of its own. */
export type HttpPlugin = FastifyPluginCallback | FastifyPluginAsync;

/**
 * A plugin that works for all routes of the server.
 * @param name in messages of Fastify, which would else take one from a stack trace
 */
export function httpPlugin(name: string, plugin: HttpPlugin): HttpPlugin {
  return fastifyPlugin(plugin as FastifyPluginAsync, { name });
}
