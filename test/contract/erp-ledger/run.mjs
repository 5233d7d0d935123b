// npm run erp-contract -- <name or path> [options]: the command `erp-contract` (docs/erp-adapters.md). A name is that of a
// harness of this repository, which runs from its sources: ledger, tryton, files, tiny-books.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

const root = resolve(import.meta.dirname, '../../..');
const given = process.argv.slice(2);
const [name, ...options] = given[0]?.startsWith('-') === false ? given : ['ledger', ...given];
/** Its harness clones the database that jest prepares for tests. */
const NEEDS_POSTGRES =
  name === 'ledger' &&
  process.env.TEST_TEMPLATE === undefined &&
  !options.some((option) => /^(-h|--help)$/.test(option));
const folders = [import.meta.dirname, resolve(root, `test/support/${name}`)];
const own = folders.map((folder) => resolve(folder, `${name}-harness.ts`)).find(existsSync);
const PACKAGE = {
  'erp-export-connector/erp-kit': 'src/connector/erp/kit/erp-kit.ts',
  'erp-export-connector/erp-contract': 'src/erp-contract/erp-contract.ts',
};
const SOURCE = /\.tsx?$/;
if (NEEDS_POSTGRES) {
  const { default: setUpPostgres } = await import('../../support/postgres-setup.mjs');
  const { default: tearDownPostgres } = await import('../../support/postgres-teardown.mjs');
  await setUpPostgres();
  // The command ends its process by itself; the server has to be stopped after it.
  const child = spawn(process.execPath, [import.meta.filename, name, ...options], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  await tearDownPostgres();
  process.exitCode = code ?? 1;
} else if (own === undefined && !existsSync(resolve(process.env.INIT_CWD ?? process.cwd(), name))) {
  console.error(`${name} is neither a file nor one of ledger, tryton, files, tiny-books`);
  process.exitCode = 2;
} else if (own === undefined) {
  process.argv.splice(2, 1, resolve(process.env.INIT_CWD ?? process.cwd(), name));
  await import('../../../dist/erp-contract/main.js');
} else {
  registerHooks({
    resolve(specifier, context, next) {
      const source = sourcesOf(specifier, context.parentURL).find(
        (url) => SOURCE.test(url.pathname) && existsSync(url),
      );
      return source === undefined
        ? next(specifier, context)
        : { url: source.href, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!SOURCE.test(url) || !url.startsWith(pathToFileURL(root).href)) {
        return next(url, context);
      }
      const filename = fileURLToPath(url);
      const { code } = transformSync(readFileSync(filename, 'utf8'), { filename, swcrc: true, sourceMaps: 'inline' });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
  process.argv = [...process.argv.slice(0, 2), own, ...options];
  await import('../../../src/erp-contract/main.ts');
}

/** What an import in a source names: the source of the same name, be it with pages in it. */
function sourcesOf(specifier, parent) {
  if (specifier in PACKAGE) return [pathToFileURL(resolve(root, PACKAGE[specifier]))];
  if (!specifier.startsWith('.')) return [];
  return ['.ts', '.tsx'].map((ending) => new URL(specifier.replace(/\.js$/, ending), parent));
}
