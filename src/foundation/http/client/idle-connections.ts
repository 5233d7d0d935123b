import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

/**
 * Closes the connections that wait for a next request. After one of them has gone silent the others may be dead as well, and
 * each would cost a time-out (F7).
 */
export function closeIdle(agents: readonly (HttpAgent | HttpsAgent)[]): void {
  for (const { freeSockets } of agents) {
    for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) {
      socket.destroy();
    }
  }
}
