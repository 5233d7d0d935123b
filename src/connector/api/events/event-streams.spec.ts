import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { AppLogger } from '../../../foundation/logging/app-logger.js';
import type { ExportJobReader } from '../../exports/stores/export-job.reader.js';
import type { EventCursor, EventsSince, News, PageEventReader } from '../../page-events/page-event.reader.js';
import { EventStreams } from './event-streams.js';

const ONE = toInstallationId('10000000-0000-4000-8000-000000000000');
const OTHER = toInstallationId('20000000-0000-4000-8000-000000000000');

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('a page whose first events are still being read is not served besides, and gets what happens meanwhile after them', async () => {
  const read: [id: string, after: EventCursor | undefined][] = [];
  const first = Promise.withResolvers<EventsSince>();
  let changed: News['changed'] = [];
  const pageEventReader: Pick<PageEventReader, 'readSince' | 'findNews'> = {
    readSince: (id, after) => {
      read.push([id, after]);
      return id === OTHER && after === undefined
        ? first.promise
        : Promise.resolve({ cursor: { horizon: '7', seconds: 0 }, events: [] });
    },
    findNews: () => Promise.resolve({ horizon: '7', changed, running: [] }),
  };
  const streams = new EventStreams(pageEventReader as PageEventReader, {} as ExportJobReader, {} as AppLogger);
  const open = (installationId: InstallationId) =>
    streams.openStream({ installationId, name: 'a', isStillValid: () => Promise.resolve(true) }, undefined);
  await open(ONE);
  const opening = open(OTHER);
  changed = [OTHER];
  await jest.advanceTimersByTimeAsync(1_000);
  changed = [];
  expect(read).toEqual([
    [ONE, undefined],
    [OTHER, undefined],
  ]);
  first.resolve({ cursor: { horizon: '5', seconds: 0 }, events: [] });
  await opening;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(read.slice(2)).toEqual([[OTHER, { horizon: '5', seconds: 0 }]]);
  streams.onModuleDestroy();
});
