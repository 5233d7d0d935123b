import { expect, it } from '@jest/globals';
import type { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { AppLogger } from '../../../foundation/logging/app-logger.js';
import type { PlatformApi } from '../../platform/platform-api.js';
import type { InstallationRepository } from '../installation.repository.js';
import { RemoveFromPlatform, type UninstallingInstallation } from './remove-from-platform.js';

const LIMIT_MS = 60;
const UNINSTALLING = {
  installation: { id: 'i', accessLevel: 'company', state: 'active' },
  credential: { kind: 'api-key', key: 'k' },
  subscriptionId: undefined,
} as unknown as UninstallingInstallation;

/** @param whatPasses before the database answers, once for each attempt */
function removal(whatPasses: (() => Promise<void>)[], deleteInstallation: () => Promise<void>): RemoveFromPlatform {
  const readOnce = async () => {
    await whatPasses.shift()?.();
    return { state: 'uninstalled' };
  };
  return new RemoveFromPlatform(
    { readOnce } as unknown as TenantDatabase,
    {} as InstallationRepository,
    { deleteInstallation } as unknown as PlatformApi,
    { of: () => ({ warn: () => undefined }) } as unknown as AppLogger,
  );
}

/** Nothing of this process runs meanwhile; then its timers come first. */
async function standStill(): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS + 5);
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the database did not answer in time');
}

it('asks the platform once more where the process stood still for the whole limit [I32]', async () => {
  let requests = 0;
  const deleteInstallation = () => {
    requests += 1;
    return Promise.resolve();
  };
  expect(await removal([standStill], deleteInstallation).remove(UNINSTALLING, LIMIT_MS)).toBe(true);
  expect(requests).toBe(1);
});

it('gives up at the limit on a platform that was asked and is silent', async () => {
  let requests = 0;
  const deleteInstallation = () => {
    requests += 1;
    return new Promise<void>(() => undefined);
  };
  expect(await removal([], deleteInstallation).remove(UNINSTALLING, LIMIT_MS)).toBe(false);
  expect(requests).toBe(1);
});
