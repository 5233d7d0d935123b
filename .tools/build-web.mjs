// Builds the page of the connector into web/dist, when anything it is made of has changed: the API's document by the built
// connector, the types of its client from that, and the page by Vite. Fails when the first load becomes too large.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { filesOf, isBuiltFrom, markBuilt } from './built-from.mjs';

/** What a browser loads before it shows anything, in bytes as gzip sends them. */
const MAX_FIRST_LOAD = 300_000;
/** Of a page's own script. */
const MAX_PAGE = 60_000;

const DIST = 'web/dist';
const DOCUMENT = 'node_modules/.cache/connector-openapi.json';
const TYPES = 'web/api/schema.d.ts';
const TYPE_WRITER = 'node_modules/openapi-typescript/bin/cli.js';

const sources = filesOf('web').filter((path) => !path.startsWith(DIST) && path !== TYPES && !path.includes('.spec.'));
const ownFiles = ['package-lock.json', '.tools/build-web.mjs', '.tools/write-api-document.mjs'];
const page = { file: join(DIST, '.built-from'), paths: [...sources, ...ownFiles] };
const types = {
  file: `${DOCUMENT}.built-from`,
  paths: [...filesOf('src/connector'), ...filesOf('src/foundation/http'), ...ownFiles],
};

// The types are for who changes the page: Vite only leaves them out.
if (existsSync(TYPE_WRITER) && !(existsSync(TYPES) && isBuiltFrom(types))) {
  mkdirSync('node_modules/.cache', { recursive: true });
  node('.tools/write-api-document.mjs', DOCUMENT);
  const options = ['--output', TYPES, '--root-types', '--root-types-no-schema-prefix', '--default-non-nullable=false'];
  node(TYPE_WRITER, DOCUMENT, ...options);
  markBuilt(types);
}

if (!isBuiltFrom(page)) {
  const { build } = await import('vite');
  const { config } = await import('../web/vite.config.ts');
  await build({ ...config, configFile: false });
  assertSizes(JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8')));
  compress(join(DIST, 'assets'));
  markBuilt(page);
}

function node(...args) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(stderr);
    process.exit(status ?? 1);
  }
}

/** Files that are served as they are stand compressed beside themselves. */
function compress(folder) {
  for (const file of readdirSync(folder).filter((each) => /\.(js|css|svg)$/.test(each))) {
    const path = join(folder, file);
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(content));
    writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

function assertSizes(manifest) {
  const size = (file) => gzipSync(readFileSync(join(DIST, file))).length;
  const withImports = (key, seen = new Set()) => {
    if (!seen.has(key)) {
      seen.add(key);
      (manifest[key].imports ?? []).forEach((imported) => withImports(imported, seen));
    }
    return seen;
  };
  const scripts = (keys) => [...keys].reduce((sum, key) => sum + size(manifest[key].file), 0);
  const first = withImports('index.html');
  const sizes = Object.keys(manifest)
    .filter((key) => manifest[key].isDynamicEntry && /\.(tsx?|json)$/.test(key))
    .map((key) => ({ key, bytes: scripts([...withImports(key)].filter((part) => !first.has(part))) }));
  const firstLoads = ['index.html', 'operator.html'].map((key) => ({ key, bytes: scripts(withImports(key)) }));
  const tooLarge = [
    ...firstLoads
      .filter(({ bytes }) => bytes > MAX_FIRST_LOAD)
      .map(({ key, bytes }) => `first load of ${key}: ${bytes} bytes, at most ${MAX_FIRST_LOAD}`),
    ...sizes
      .filter(({ bytes }) => bytes > MAX_PAGE)
      .map(({ key, bytes }) => `${key}: ${bytes} bytes, at most ${MAX_PAGE}`),
  ];
  writeFileSync(join(DIST, 'sizes.json'), JSON.stringify({ firstLoads, pages: sizes }, null, 2));
  if (tooLarge.length > 0) {
    console.error(`The page has become too large (compressed scripts):\n${tooLarge.join('\n')}`);
    process.exit(1);
  }
}
