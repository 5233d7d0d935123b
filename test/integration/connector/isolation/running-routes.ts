import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const LINE = /^([│├└─ ]*)(\S+) \(([A-Z, ]+)\)(?: .*)?$/;
const INDENT = 4;

/**
 * Every route that the server itself answers, as `GET /api/v1/jobs/{}`. Read from its own table, so that a route is found
 * whichever module registered it, and however.
 */
export function runningRoutes(app: NestFastifyApplication): readonly string[] {
  const printed = app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const parents: string[] = [];
  const routes = new Set<string>();
  for (const line of printed.split('\n')) {
    const [, indent = '', part = '', methods = ''] = LINE.exec(line) ?? [];
    if (part !== '') {
      const depth = indent.length / INDENT;
      parents.length = depth - 1;
      parents.push(part);
      const path = parents.join('').replace(/:[^/]+/g, '{}');
      for (const method of methods.split(', ').filter((each) => each !== 'HEAD')) {
        routes.add(`${method} ${path}`);
      }
    }
  }
  return [...routes];
}
