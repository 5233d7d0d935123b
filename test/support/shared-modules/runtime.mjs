// Loads the program, as it was built, and the packages once per process instead of once per test file: a thousand modules, and three
// seconds of each file. Only what lies under test/ is loaded anew for every file.
import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import vm from 'node:vm';
import { transformFileSync } from '@swc/core';
import JestRuntime from 'jest-runtime';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const [SOURCES, BUILT, PACKAGES] = ['src', 'build', 'node_modules'].map((name) => join(ROOT, name) + sep);

const SHARED = import.meta.dirname + sep;

const builtFrom = (source) => join(BUILT, source.slice(SOURCES.length)).replace(/\.tsx?$/, '.js');
/** As modules, since those of the bundle have faults of their own, which the program under test does not know. */
const OWN_PACKAGE = {
  'erp-export-connector/erp-kit': 'connector/erp/kit/erp-kit.js',
  'erp-export-connector/erp-contract': 'erp-contract/erp-contract.js',
};
const TESTS = pathToFileURL(join(ROOT, 'test') + sep).href;

// The program loads adapters of ERPs by their path (CONNECTOR_ERP_ADAPTERS), past Jest; those of the tests are TypeScript as well.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier in OWN_PACKAGE) {
      return next(pathToFileURL(join(BUILT, OWN_PACKAGE[specifier])).href, context);
    }
    if (!specifier.startsWith('.') || context.parentURL?.startsWith(TESTS) !== true) {
      return next(specifier, context);
    }
    const written = fileURLToPath(new URL(specifier, context.parentURL)).replace(/\.js$/, '.ts');
    const file = written.startsWith(SOURCES) ? builtFrom(written) : written;
    return next(existsSync(file) ? pathToFileURL(file).href : specifier, context);
  },
  load(url, context, next) {
    return url.startsWith(TESTS) && url.endsWith('.ts')
      ? { format: 'module', source: transformFileSync(fileURLToPath(url), { swcrc: true }).code, shortCircuit: true }
      : next(url, context);
  },
});

/** @returns the file to load for a module that Jest asks for by its address; undefined: each test file has its own */
function sharedFile(url) {
  if (!url.startsWith('file:') || /[?#]/.test(url)) {
    return undefined;
  }
  const path = fileURLToPath(url);
  if ((path.startsWith(PACKAGES) || path.startsWith(SHARED)) && /\.[cm]?js$/.test(path)) {
    return path;
  }
  return path.startsWith(SOURCES) && /(?<!\.spec)\.tsx?$/.test(path) ? builtFrom(path) : undefined;
}

/** What Jest looks into before it loads a module. */
class SharedModules extends Map {
  constructor(contextOf) {
    super();
    this.contextOf = contextOf;
  }

  get(url) {
    const file = super.has(url) ? undefined : sharedFile(url);
    if (file !== undefined) {
      super.set(url, moduleOf(url, require(file), this.contextOf()));
    }
    return super.get(url);
  }

  has(url) {
    return this.get(url) !== undefined;
  }
}

/** @param loaded an ES module's namespace, or what a CommonJS module exports */
function moduleOf(identifier, loaded, context) {
  const names = Object.keys(Object(loaded));
  const exported = types.isModuleNamespaceObject(loaded)
    ? names.filter((name) => name !== '__esModule').map((name) => [name, loaded[name]])
    : [...names.map((name) => [name, loaded[name]]), ['default', loaded], ['module.exports', loaded]];
  const values = new Map(exported);
  const module = new vm.SyntheticModule(
    [...values.keys()],
    function setExports() {
      values.forEach((value, name) => this.setExport(name, value));
    },
    { context, identifier },
  );
  module.link(() => undefined);
  void module.evaluate();
  return module;
}

export default class SharedRuntime extends JestRuntime {
  constructor(...options) {
    super(...options);
    this.registries.esModuleRegistry = new SharedModules(() => this._environment.getVmContext());
  }
}
