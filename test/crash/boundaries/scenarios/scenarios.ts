import type { Scenario } from '../scenario.js';
import { connect } from './connect.js';
import { again, changed, five, one, parts, sixty } from './exports.js';
import { keys } from './keys.js';
import { reconcile } from './reconcile.js';
import { reference } from './reference.js';
import { refresh } from './refresh.js';
import { rotation } from './rotation.js';
import { uninstall } from './uninstall.js';

/** By the names that the command takes. */
export const SCENARIOS = {
  ...{ one, five, sixty, parts, again, changed },
  ...{ refresh, reference, reconcile, rotation, keys, uninstall, connect },
} satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;
