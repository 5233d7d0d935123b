import { mayImport, openRooms, pureFolders } from './.architecture.js';

const folder = (room) => `^src/${room}/`;
const rooms = Object.keys(mayImport);
const spec = '\\.spec\\.ts$';

const directions = rooms.map((room) => ({
  name: `direction-of-${room.replaceAll('/', '-')}`,
  comment: `${room} may import only: ${mayImport[room].join(', ') || 'nothing'}. See docs/architecture.md, "Directions".`,
  severity: 'error',
  from: { path: folder(room), pathNot: spec },
  to: {
    path: '^src/',
    pathNot: [
      ...[room, ...mayImport[room]].map(folder),
      ...(room === 'sandbox/launch' ? ['^src/connector/migrate-connector\\.ts$'] : []),
    ],
  },
}));

/** Files of closed rooms whose classes, or the types in their signatures, the room's module exports. */
const exportedFiles = `/(${[
  'api-token\\.repository',
  'member\\.repository',
  'change-member',
  'create-api-token',
  'sign-in',
  'request-limits',
  'shared-quota',
  'installation\\.repository',
  'subscription\\.repository',
  'begin-authorization',
  'connect-with-api-key',
  'finish-connection',
  'link-erp-company',
  'data-key',
  'data-key\\.repository',
  'platform-access',
  'rotate-keys',
  'record-intake',
  'change-subscription',
  'maintain-subscription',
  'wake-subscription-maintenance',
  'uninstall',
  'export-installation-data',
  'notification-view\\.repository',
  'replay-message',
  'delete-old-bodies',
].join('|')})\\.ts$`;

const closedRooms = rooms.filter((room) => !openRooms.includes(room) && room.startsWith('connector/'));
const privateFiles = closedRooms.map((room) => ({
  name: `private-files-of-${room.replaceAll('/', '-')}`,
  comment: `Of ${room} others may use its domain/ and what its module exports.`,
  severity: 'error',
  from: { path: '^src/', pathNot: [folder(room), '^src/connector/[^/]+\\.ts$', spec] },
  to: {
    path: folder(room),
    pathNot: [
      '(\\.module|\\.service|\\.tasks|\\.reader)\\.ts$|/domain/|^src/connector/mapping/[a-z.-]+\\.ts$|^src/connector/exports/(in-doubt|issues|items|reexport|reporting|run|stores)/[a-z.-]+\\.ts$',
      exportedFiles,
    ],
  },
}));

export default {
  forbidden: [
    ...directions,
    ...privateFiles,
    {
      name: 'pure-folders-use-nothing',
      comment: 'Pure code uses no library, no Node built-in and no impure file of its own room.',
      severity: 'error',
      from: {
        path: pureFolders.map((path) => `^${path}/`),
        // Hashing is a function of its input; the verifier needs it from Node.
        pathNot: [spec, '^src/connector/webhooks/domain/verify-signature\\.ts$'],
      },
      to: { pathNot: ['^src/kernel/', '^src/connector/bookkeeping/', '/domain/'] },
    },
    {
      name: 'erp-adapter-only-in-composition',
      comment: 'Use cases know the port, never an adapter.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/connector/erp/', '^src/connector/erp\\.providers\\.ts$', spec],
      },
      to: { path: '^src/connector/erp/ledger/' },
    },
    {
      name: 'database-driver-only-in-foundation',
      comment: 'TypeORM and pg are used by foundation/database and the steps that prepare a server.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/foundation/', '^src/connector/tasks/install-queue-schema\\.ts$', spec],
      },
      to: { path: 'node_modules/(typeorm|pg)/' },
    },
    {
      name: 'http-library-only-in-foundation',
      comment: 'Calls out go through foundation/http/http-client.ts, with its limits.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/foundation/http/', spec] },
      to: { path: '(node_modules/axios/|^https?$|^node:https?$|^undici$)' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-barrels',
      severity: 'error',
      from: {},
      to: { path: '^src/.*/index\\.ts$' },
    },
    {
      name: 'source-knows-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: spec },
      to: { path: ['^test/', spec] },
    },
    {
      name: 'unknown-room',
      comment: 'A new room needs a row in .architecture.js.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/[^/]+/', pathNot: [...rooms.map(folder), '^src/connector/[^/]+\\.ts$'] },
    },
    {
      name: 'unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
