import { PlatformHttp } from '../../../src/connector/platform/platform-http.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { UnlimitedBudget } from './unlimited-budget.js';

/** For a fake that overrides what it is asked for: a request that it does not override reaches no server. */
export function unreachableHttp(clock: Clock): PlatformHttp {
  const nowhere = { baseUrl: 'http://127.0.0.1:1', timeoutMs: 1, maxResponseBytes: 1, maxConnections: 1 };
  return new PlatformHttp(new HttpClient(nowhere), clock, new UnlimitedBudget());
}
