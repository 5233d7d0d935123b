import type { Logger } from '../../foundation/logging/logger.js';

/** The program's logger in a form that can be injected by type. */
export class SimulatorLog {
  constructor(readonly logger: Logger) {}
}
