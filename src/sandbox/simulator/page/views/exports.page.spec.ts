import { expect, it } from '@jest/globals';
import type { InstallationStatus } from '../../installations/installation.js';
import { exportsPage, type ExportsView } from './exports.page.js';

const NOW = new Date('2026-03-02T10:00:00Z');

function shown(status: InstallationStatus | undefined): string {
  const installation = {
    ...{ applicationId: 'app', resource: 'company', errorCode: null, metadata: {} },
    ...{ createdAt: NOW, updatedAt: NOW },
  };
  const view = {
    visitor: { company: { name: 'Kastanie GmbH', contraAccounts: {} }, person: undefined },
    notice: undefined,
    now: NOW,
    waiting: [],
    waitingCount: 0,
    jobs: [],
    installations: status === undefined ? [] : [{ ...installation, id: 'i', status }],
    initiationUrl: 'http://app.test/connect',
  };
  return exportsPage(view as unknown as ExportsView);
}

it.each([
  [undefined, true],
  // A person has signed in at the application without connecting it.
  ['AUTHORIZED', true],
  ['PENDING_INTEGRATION', false],
  ['ACTIVATED', false],
] as const)('of a company in the state %s the page offers to connect the application: %s', (status, isOffered) => {
  expect(shown(status).includes('Connect the application')).toBe(isOffered);
});
