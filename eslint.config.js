import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';
import { pureFolders } from './.architecture.js';

/** Of a constructor; no function needs more parameters either. */
const MAX_COLLABORATORS = 6;

const call = (selector, message) => ({ selector, message });

const everywhere = [
  call("CallExpression[callee.name='forwardRef']", 'A cycle of providers: a type or a function lies too high.'),
  call(
    "CallExpression[callee.property.name='save'][callee.object.property.name=/[rR]epository$/]",
    'save() reads first and races: use insert, update … where version, or upsert.',
  ),
  call("Property[key.name='synchronize'][value.value=true]", 'The schema is changed by migrations only.'),
  call("CallExpression[callee.name='createRequire']", 'Import instead: dependency-cruiser cannot see this.'),
  call('TSEnumDeclaration', 'Use a union of strings.'),
  call("MethodDefinition[key.name='run']", 'A use case is called by its verb: runExportJob.exportJob(), not run().'),
  call('ExportDefaultDeclaration', 'Use named exports.'),
];
const time = [
  call("CallExpression[callee.object.name='Date'][callee.property.name='now']", 'Take the time from the Clock port.'),
  call("NewExpression[callee.name='Date'][arguments.length=0]", 'Take the time from the Clock port.'),
  call("CallExpression[callee.object.name='Math'][callee.property.name='random']", 'Chance comes in as an argument.'),
];
const pure = [
  call(':function[async=true]', 'Pure code is not async.'),
  call("MemberExpression[object.name='process']", 'Pure code knows no process.'),
  call("MemberExpression[object.name='crypto']", 'Pure code knows no randomness.'),
  call('Identifier[name=/^(fetch|setTimeout|setInterval|console)$/]', 'Pure code does nothing to the outside.'),
];
const processEnv = call(
  "MemberExpression[object.name='process'][property.name='env']",
  'The environment is read in the configuration only.',
);
const globalFetch = call("CallExpression[callee.name='fetch']", 'Calls out go through foundation/http/http-client.ts.');
const stringEquality = call(
  "BinaryExpression[operator=/^[!=]==?$/] > CallExpression[callee.property.name='digest']",
  'Compare digests with timingSafeEqual.',
);

const syntax = (...lists) => ({ 'no-restricted-syntax': ['error', ...lists.flat()] });

export default tseslint.config(
  { ignores: ['build/', 'dist/', 'node_modules/', '.data/', 'coverage/', 'web/dist/', 'web/api/schema.d.ts'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The rows of a statement are typed by its caller, in one place: Tx.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // A DTO class declares a shape for validation and documentation; plain objects of that shape are what we return.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Only for a loopback authorization server: production refuses http addresses at start.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', name: 'allowInsecureRequests', package: 'openid-client' }] },
      ],
      '@typescript-eslint/max-params': ['error', { max: MAX_COLLABORATORS }],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      ...syntax(everywhere, time, [processEnv, globalFetch, stringEquality]),
    },
  },
  {
    files: ['src/foundation/**/*.ts', 'src/sandbox/launch/**/*.ts'],
    rules: syntax(everywhere, [globalFetch]),
  },
  {
    files: ['src/connector/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'class-validator',
              importNames: ['IsOptional'],
              message: 'It lets null pass: take OptionalField or NullableField of foundation/http.',
            },
          ],
        },
      ],
    },
  },
  {
    // The entry of a program hands its environment to the configuration.
    files: [
      'src/connector/main.ts',
      'src/sandbox/*/main.ts',
      'src/connector/{worker,migrate,verify-certificates,replay}.ts',
    ],
    rules: syntax(everywhere, time, [globalFetch]),
  },
  {
    files: pureFolders.map((path) => `${path.replace('[^/]+', '*')}/**/*.ts`),
    ignores: ['**/*.spec.ts'],
    rules: syntax(everywhere, time, pure, [processEnv]),
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts', 'src/erp-contract/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/max-params': 'off',
      ...syntax(everywhere),
    },
  },
  {
    // A component is mostly markup; the browser's clock is the only one there is.
    files: ['web/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      ...syntax(everywhere),
    },
  },
  {
    files: ['*.js', '.*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        ...{ process: 'readonly', console: 'readonly', URL: 'readonly', performance: 'readonly' },
        ...{ fetch: 'readonly', AbortSignal: 'readonly' },
      },
    },
  },
);
