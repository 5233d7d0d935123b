import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that operating systems give to outgoing connections, which would take a free one at any moment. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 50;
/** By this process: no program may listen there yet. */
const assignedPorts = new Set<number>();

/**
 * A TCP port of the loopback interface that was free a moment ago.
 * @throws Error when none of many ports is free
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!assignedPorts.has(port) && (await isFree(port))) {
      assignedPorts.add(port);
      return port;
    }
  }
  throw new Error(`no free port between ${LOWEST.toString()} and ${HIGHEST.toString()} was found`);
}

/** Whether no program listens on the TCP port of the loopback interface at this moment. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
