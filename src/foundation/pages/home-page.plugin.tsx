import { fastifyPlugin } from 'fastify-plugin';
import type { HttpPlugin } from '../http/http-plugin.js';
import { renderPage } from './page.js';

/**
 * The page at `/` of a program, for people who have only its address: what it is, and where to go.
 * @param links path and words of each
 */
export function homePage(title: string, purpose: string, links: readonly (readonly [string, string])[]): HttpPlugin {
  const page = renderPage({
    title,
    body: (
      <main>
        <h1>{title}</h1>
        <p>{purpose}</p>
        <ul>
          {links.map(([path, words]) => (
            <li key={path}>
              <a href={path}>{path}</a>: {words}
            </li>
          ))}
        </ul>
      </main>
    ),
  });
  return fastifyPlugin((fastify, _options, done) => {
    fastify.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    done();
  });
}
