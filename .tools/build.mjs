// Compiles src into build as nest-cli.json says, and makes of it what runs: dist has one file for each program, with the packages in it, since
// two thousand modules loaded one by one take three times as long to start and 100 MB more. Nothing is done when nothing has changed.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { transformFile } from '@swc/core';
import { rolldown } from 'rolldown';
import { filesOf, isBuiltFrom, markBuilt } from './built-from.mjs';

const { sourceRoot: SOURCES } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
const { bin: COMMANDS } = JSON.parse(readFileSync('package.json', 'utf8'));
const [MODULES, PROGRAMS] = ['build', 'dist'];
/** What is bundled together shares its modules: an adapter from outside has the same errors as the connector and as the suite of the contract. */
const BUNDLES = {
  connector: [
    ...['main', 'worker', 'migrate', 'operator', 'replay', 'rotate-keys', 'verify-certificates'].map(
      (name) => `connector/${name}`,
    ),
    'connector/erp/kit/erp-kit',
    'erp-contract/erp-contract',
    'erp-contract/main',
  ],
  sandbox: ['sandbox/ledger/main', 'sandbox/simulator/main', 'sandbox/launch/migrate-sandbox', 'sandbox/launch/start'],
};
const PACKAGES = 'packages';
const NOTHING = '\0nothing';
/** The first has to run before all that needs it, whichever file that is in; the others look for files beside them. */
const LOADED_AS_PACKAGES = ['reflect-metadata', 'pino', 'expect'];
/** Of packages that are not installed, for what they can do besides. */
const OPTIONAL_IMPORTS = new Set(['UNRESOLVED_IMPORT', 'EVAL']);

const sources = filesOf(SOURCES).filter((path) => !/\.spec\.tsx?$/.test(path));
const tools = ['nest-cli.json', '.swcrc', 'package-lock.json', '.tools/build.mjs'];
const mark = { file: join(PROGRAMS, '.built-from'), paths: [...sources, ...tools] };

if (!isBuiltFrom(mark) || !existsSync(MODULES)) {
  for (const folder of [MODULES, PROGRAMS]) rmSync(folder, { recursive: true, force: true });
  await Promise.all(sources.map(compile));
  for (const [name, entries] of Object.entries(BUNDLES)) await bundle(name, entries);
  // npm does so when a checkout is installed elsewhere, not for files that are written after that.
  for (const command of Object.values(COMMANDS)) chmodSync(command, 0o755);
  markBuilt(mark);
}

async function compile(path) {
  const output = join(MODULES, relative(SOURCES, path)).replace(/\.tsx?$/, '.js');
  mkdirSync(dirname(output), { recursive: true });
  if (!/\.tsx?$/.test(path)) {
    await copyFile(path, output);
    return;
  }
  const { code, map } = await transformFile(path, { swcrc: true, sourceFileName: relative(dirname(output), path) });
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}

async function bundle(name, entries) {
  const built = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(MODULES, `${entry}.js`)])),
    platform: 'node',
    external: LOADED_AS_PACKAGES,
    // Else React renders with the checks of its development, whatever the program's own NODE_ENV.
    transform: { define: { 'process.env.NODE_ENV': JSON.stringify('production') } },
    plugins: [
      { name: 'sources', load: withSourceMap, generateBundle: lighterPackages },
      { name: 'drivers', resolveId: noOtherDatabase, load: (id) => (id === NOTHING ? 'export {};' : null) },
    ],
    onLog: (level, log, report) => (OPTIONAL_IMPORTS.has(log.code) ? undefined : report(level, log)),
  });
  await built.write({
    dir: PROGRAMS,
    cleanDir: false,
    // Names of classes are names of API types, and of faults in the log.
    keepNames: true,
    sourcemap: true,
    // Every program reads all maps at its start, for names and lines; what stands in a line it finds in src.
    sourcemapExcludeSources: true,
    comments: false,
    chunkFileNames: (chunk) => `${name}/parts/${chunk.name.startsWith(PACKAGES) ? PACKAGES : '[name]'}-[hash].js`,
    codeSplitting: { groups: [{ name: PACKAGES, test: /[\\/]node_modules[\\/]/, entriesAware: true }] },
  });
  await built.close();
}

/** TypeORM loads its drivers of all databases, which are nearly half of it; only that of PostgreSQL is ever made. */
function noOtherDatabase(source, importer = '') {
  const isDriver = /\/typeorm\/driver\/DriverFactory\.js$/.test(importer) && /^\.\/[\w-]+\//.test(source);
  return isDriver && !source.startsWith('./postgres/') ? NOTHING : null;
}

/**
 * Packages without source maps, which would be most of what a program reads at its start and lead to no source of ours; and in ASCII:
 * with any other character Node.js decodes a file more slowly and keeps it with two bytes for each character.
 */
function lighterPackages(_, files) {
  for (const chunk of Object.values(files)) {
    if (!chunk.name?.startsWith(PACKAGES)) continue;
    chunk.code = chunk.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n').replace(/[^\0-\x7f]/g, escaped);
    delete files[`${chunk.fileName}.map`];
  }
}

/** Means the same in text, in a regular expression and in a name. */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

async function withSourceMap(id) {
  if (!id.startsWith(resolve(MODULES)) || !id.endsWith('.js')) return null;
  const [code, map] = await Promise.all([id, `${id}.map`].map((path) => readFile(path, 'utf8')));
  return { code, map };
}
