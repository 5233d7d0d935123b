import type { FastifyInstance } from 'fastify';

/** A part of the server beside Nest's routes: hooks around every request, or routes of its own. */
export interface HttpPlugin {
  register(fastify: FastifyInstance): void;
}
