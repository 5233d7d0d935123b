import { parseArgs } from 'node:util';
import { readDemoErp, type DemoErp } from './demo/demo-erp.js';

export interface LaunchArguments {
  /** Use a fresh database, and exit after the demo with a code for its outcome. */
  readonly once: boolean;
  /** The last line of standard output is one JSON object. */
  readonly json: boolean;
  /** One program alone with its database. */
  readonly only: 'simulator' | 'ledger' | undefined;
  /** What the demo's main company is connected to; undefined: the ledger. */
  readonly erp: DemoErp | undefined;
}

/** @throws Error naming an unknown option or an invalid value */
export function readArguments(argv: readonly string[]): LaunchArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      once: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      erp: { type: 'string' },
      'erp-settings': { type: 'string' },
      'erp-company': { type: 'string' },
    },
  });
  const { only } = values;
  if (only !== undefined && only !== 'simulator' && only !== 'ledger') {
    throw new Error(`--only takes "simulator" or "ledger", not "${only}"`);
  }
  const kind = values.erp === 'ledger' ? undefined : values.erp;
  const erp = kind === undefined ? undefined : readDemoErp(kind, values['erp-settings'], values['erp-company']);
  return { once: values.once, json: values.json, only, erp };
}
