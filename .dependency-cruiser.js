import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const CORE = 'src/connector/core.module.ts';

/** Files of the classes that the modules of a room export, read from the modules themselves; and what the global one provides. */
function exportedFiles(room) {
  const modules = readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.ts'))
    .map((file) => join('src', room, file));
  return [...modules, CORE].flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    // A module may name a list of its own classes.
    const lists = Object.fromEntries(
      [...text.matchAll(/^const (\w+) = \[([^\]]*)\]/gm)].map(([, name, names]) => [name, names]),
    );
    const named = path === CORE ? /configured\((\w+)/g : /exports: \[([^\]]*)\]/g;
    const exported = new Set(
      [...text.matchAll(named)]
        .flatMap(([, names]) => names.match(/\w+/g))
        .flatMap((name) => lists[name]?.match(/\w+/g) ?? name),
    );
    const imports = [...text.matchAll(/import \{([^}]*)\} from '(\.[^']*)\.js';/g)];
    return imports
      .filter(([, names]) => names.match(/\w+/g).some((name) => exported.has(name)))
      .map(([, , file]) => `^${join(dirname(path), file).replaceAll('.', '\\.')}\\.ts$`);
  });
}

const closedRooms = rooms.filter((room) => !openRooms.includes(room) && room.startsWith('connector/'));
const privateFiles = closedRooms.map((room) => ({
  name: `private-files-of-${room.replaceAll('/', '-')}`,
  comment: `Of ${room} other rooms may use its modules, what these export, its tasks and domain/ only.`,
  severity: 'error',
  from: { path: '^src/', pathNot: [folder(room), '^src/connector/[^/]+\\.ts$', spec] },
  to: {
    path: folder(room),
    pathNot: ['(\\.module|\\.tasks)\\.ts$|/domain/', ...exportedFiles(room)],
    // Types in the signatures of what is exported.
    dependencyTypesNot: ['type-only'],
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
      // The text of a message is a function of it.
      to: {
        pathNot: ['^src/kernel/', '^src/connector/bookkeeping/', '^src/connector/messages/texts\\.ts$', '/domain/'],
      },
    },
    {
      name: 'erp-adapter-only-in-composition',
      comment: 'Use cases know the port, never an adapter.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/connector/erp/', '^src/connector/erp\\.providers\\.ts$', spec],
      },
      to: { path: '^src/connector/erp/(ledger|files)/' },
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
      from: { path: '^src/', pathNot: ['^src/foundation/http/', '^src/erp-contract/http-proxy\\.ts$', spec] },
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
      name: 'page-knows-the-api-only',
      comment: 'The page speaks to the connector by its API; nothing else of the repository is in a browser.',
      severity: 'error',
      from: { path: '^web/', pathNot: spec },
      to: { path: '^(src|test|bench)/|^node:' },
    },
    {
      name: 'pages-know-shell-and-parts',
      comment: 'What several pages need is in parts/; a page imports another one only where it says so here.',
      severity: 'error',
      from: { path: '^web/pages/([^/]+)/' },
      to: { path: '^web/pages/', pathNot: ['^web/pages/$1/', '^web/pages/mapping/saved\\.ts$'] },
    },
    {
      name: 'nothing-knows-the-page',
      severity: 'error',
      from: { path: '^(src|test)/' },
      // The types that are generated from the API's document are a client's, not the page's.
      to: { path: '^web/', pathNot: '^web/api/schema\\.d\\.ts$' },
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
