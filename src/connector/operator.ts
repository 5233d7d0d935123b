// `npm run operator -- add|rotate|revoke <name>`, or `list`: who may operate the hosted service. With the database's address of the
// migration step: the login of API and worker may not. A new token is printed once. The exit status is 1 when nothing was changed.
import { commandLineOrExit, endOverUsage } from '../foundation/config/command-line.js';
import { configOrExit, exitOverConfiguration } from '../foundation/config/config-or-exit.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { Database } from '../foundation/database/database.js';
import { userName } from '../foundation/process/user-name.js';
import { ChangeOperatorTokens, type OperatorTokenChange } from './access/change-operator-tokens.js';
import { loadConnectorConfig } from './connector-config.js';
import { assertTables, explainedRefusal, findDirectUrl } from './database.providers.js';

const USAGE = 'usage: operator add <name> | rotate <name> | revoke <name> | list';
const REFUSALS = {
  'invalid-name': 'a name is of small letters, digits, points and hyphens, at most 40 of them',
  'name-taken': 'the name is taken; one that was revoked stays so, for the audit log: take another',
  unknown: 'no token that is valid has this name',
} as const;

/** By name, how many names it takes. */
const COMMANDS = new Map([
  ['add', 1],
  ['rotate', 1],
  ['revoke', 1],
  ['list', 0],
]);

const [command = '', ...names] = commandLineOrExit(USAGE, {}, 2).positionals;
const [name = ''] = names;
if (!COMMANDS.has(command)) endOverUsage(`Unknown command '${command}'`, USAGE);
if (COMMANDS.get(command) !== names.length)
  endOverUsage(`'${command}' takes ${command === 'list' ? 'no name' : 'a name'}`, USAGE);
const config = configOrExit(() => loadConnectorConfig(readEnvironment()));
try {
  process.exitCode = await executeOn(await findDirectUrl(config));
} catch (error) {
  exitOverConfiguration(explainedRefusal(error, config));
  throw error;
}

async function executeOn(url: string): Promise<number> {
  const database = await Database.connect({
    url,
    schema: 'connector',
    applicationName: 'connector-operator',
    poolSize: 1,
  });
  try {
    await database.inTransaction('look for the tables', assertTables);
    return await execute(new ChangeOperatorTokens(database, `operator command of ${userName()}`));
  } finally {
    await database.close();
  }
}

async function execute(tokens: ChangeOperatorTokens): Promise<number> {
  switch (command) {
    case 'add':
      return print(await tokens.add(name));
    case 'rotate':
      return print(await tokens.rotate(name));
    case 'revoke':
      return print(await tokens.revoke(name));
    default:
      for await (const token of tokens.list()) {
        process.stdout.write(`${JSON.stringify(token)}\n`);
      }
      return 0;
  }
}

function print(change: OperatorTokenChange): number {
  switch (change.outcome) {
    case 'made':
      process.stdout.write(`${change.token}\n`);
      return 0;
    case 'revoked':
      process.stdout.write('revoked\n');
      return 0;
    default:
      process.stderr.write(`nothing was changed: ${REFUSALS[change.outcome]}\n`);
      return 1;
  }
}
