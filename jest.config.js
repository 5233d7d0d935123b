// Three kinds of test, told apart by where they live: pure specs beside the code, tests on a real
// PostgreSQL and real HTTP, and the three programs together. See docs/architecture.md, "Tests".
const transform = { '^.+\\.tsx?$': ['@swc/jest', { swcrc: true }] };
const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch,
  rootDir: '.',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // As whoever has installed the package imports them.
    '^erp-export-connector/erp-kit$': '<rootDir>/src/connector/erp/kit/erp-kit',
    '^erp-export-connector/erp-contract$': '<rootDir>/src/erp-contract/erp-contract',
  },
  transform,
  ...extra,
});

// The program and its packages are loaded once per process, not once per file.
const postgres = {
  testEnvironment: '<rootDir>/test/support/shared-modules/environment.mjs',
  runtime: '<rootDir>/test/support/shared-modules/runtime.mjs',
  globalSetup: '<rootDir>/test/support/postgres-setup.mjs',
  globalTeardown: '<rootDir>/test/support/postgres-teardown.mjs',
};

export default {
  // Room for a loaded machine; no test asserts a duration.
  testTimeout: 120_000,
  // A test file leaves some of its modules in the memory of the process that ran it: a process that has grown is replaced,
  // which one that runs alone would not be. Two keep two cores busy where whole programs run: with three each file takes as much
  // longer as there are more. `npm test` runs three where files wait more.
  maxWorkers: Number(process.env.TEST_FILES_AT_ONCE ?? 2),
  workerIdleMemoryLimit: '1GB',
  // Such a process takes a second to free its memory; one that does not end in this time has something open.
  workerGracefulExitTimeout: 15_000,
  projects: [
    project(
      'pure',
      ['<rootDir>/src/**/*.spec.{ts,tsx}', '<rootDir>/web/**/*.spec.ts', '<rootDir>/test/architecture/**/*.spec.ts'],
      { globalTeardown: '<rootDir>/test/support/left-open.mjs' },
    ),
    project('integration', ['<rootDir>/test/{integration,contract,model}/**/*.spec.ts'], postgres),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts', '<rootDir>/test/crash/**/*.spec.ts'], postgres),
    // Run by name: npm run drill.
    project('drills', ['<rootDir>/test/drills/**/*.spec.ts'], postgres),
  ],
};
