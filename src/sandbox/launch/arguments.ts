import { commandLineOrExit, endOverUsage } from '../../foundation/config/command-line.js';
import { readDemoErp, type DemoErp } from './demo/demo-erp.js';

export interface LaunchArguments {
  /** Use a fresh database, and exit after the demo with a code for its outcome. */
  readonly once: boolean;
  /** The last line of standard output is one JSON object. */
  readonly json: boolean;
  /** Show every account of the main company with its balance, too. */
  readonly trialBalance: boolean;
  /** One program alone with its database. */
  readonly only: 'simulator' | 'ledger' | undefined;
  /** What the demo's main company is connected to; undefined: the ledger. */
  readonly erp: DemoErp | undefined;
}

const USAGE = `npm start [-- options]: starts the simulator, the ledger and the connector, exports two demo companies, and serves.

  --once                  on fresh data and free ports; ends after the exports, with 0 when they ended as intended
  --json                  the result as one JSON object in the last line of standard output
  --trial-balance         every account of the main company with its balance
  --only <program>        the simulator or the ledger alone
  --erp <kind>            the main company on another accounting system: files, or the kind of any adapter
  --erp-settings <file>   settings of its connection as JSON, as GET /api/v1/erp-kinds describes them
  --erp-company <id>      its company, where the settings open several
  --help                  this text

In the environment or a file .env: PORT (3000), INTERNAL_PORT (3001, and the one above it), SIMULATOR_PORT (3100), LEDGER_PORT (3200);
DATABASE_URL, a PostgreSQL in place of the embedded one; LOG_LEVEL (warn), LOG_FORMAT; CONNECTOR_ERP_ADAPTERS, adapters of your own.`;

/**
 * What this process was called with. `--help`, and an option that is not known or cannot be, end it: with 0, and with 2.
 * @throws ConfigurationError naming what is wrong with the settings of an accounting system
 */
export function readArgumentsOrExit(): LaunchArguments {
  const { values } = commandLineOrExit(USAGE, {
    once: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'trial-balance': { type: 'boolean', default: false },
    only: { type: 'string' },
    erp: { type: 'string' },
    'erp-settings': { type: 'string' },
    'erp-company': { type: 'string' },
  });
  const { only } = values;
  if (only !== undefined && only !== 'simulator' && only !== 'ledger') {
    return endOverUsage(`--only: takes simulator or ledger, not "${only}"`, USAGE);
  }
  const kind = values.erp === 'ledger' ? undefined : values.erp;
  const erp = kind === undefined ? undefined : readDemoErp(kind, values['erp-settings'], values['erp-company']);
  const { once, json, 'trial-balance': trialBalance } = values;
  return { once, json, trialBalance, only, erp };
}
