// The pure tests alone, as the first project of jest.config.js has them: no database, no other program.
import whole from '../../jest.config.js';

const [pure] = whole.projects;

export default {
  ...pure,
  rootDir: '../..',
  globalTeardown: undefined,
  moduleNameMapper: { ...pure.moduleNameMapper, '^fast-check$': '<rootDir>/test/mutants/short-properties.mjs' },
  testMatch: ['<rootDir>/test/mutants/all.spec.ts'],
};
