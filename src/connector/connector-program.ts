import type { Logger } from '../foundation/logging/logger.js';
import type { ConnectorConfig } from './connector-config.js';

/** What a process of the connector is started with. */
export abstract class ConnectorProgram {
  abstract readonly config: ConnectorConfig;
  abstract readonly logger: Logger;
  /** A worker also supervises the queue and takes tasks. */
  abstract readonly role: 'api' | 'worker';
}

/** Over all tenants: a system that fails this often in a row is not called for a moment. */
export const CIRCUIT = { failuresToOpen: 10, openMs: 5_000 };

/** In bytes. */
export const MEGABYTE = 1_048_576;
