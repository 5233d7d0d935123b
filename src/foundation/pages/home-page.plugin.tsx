import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../http/http-plugin.js';
import { sendProblem, toProblem } from '../http/problem.filter.js';
import { plainPage } from './plain-page.js';
import { ICON, ICON_ADDRESS, STYLE, STYLE_ADDRESS } from './plain-page.style.js';

const FILES = [
  [STYLE_ADDRESS, 'text/css; charset=utf-8', STYLE],
  [ICON_ADDRESS, 'image/svg+xml', ICON],
] as const;

/**
 * The page at `/` of a program, for people who have only its address: what it is, and where to go; and style and icon of its plain pages.
 * @param links path and words of each
 */
export function homePage(title: string, purpose: string, links: readonly (readonly [string, string])[]): HttpPlugin {
  const page = plainPage({
    title,
    content: (
      <>
        <p>{purpose}</p>
        <ul>
          {links.map(([path, words]) => (
            <li key={path}>
              <a href={path}>{path}</a>: {words}
            </li>
          ))}
        </ul>
      </>
    ),
  });
  return httpPlugin('home-page', (fastify, _options, done) => {
    fastify.get('/', { errorHandler }, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    for (const [address, type, content] of FILES) {
      fastify.get(address, { errorHandler }, (_request, reply) =>
        reply.type(type).header('cache-control', 'public, max-age=300').send(content),
      );
    }
    done();
  });
}

/** These routes are there before that of the program: without one of their own a refusal (too many requests) would be a 500. */
function errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, toProblem(error), request.id);
}
