// The four processes of a launch, and the environment that connects them.
import type { ProgramDefinition } from './child-program.js';
import type { Ports, SharedSecrets } from './launch-settings.js';

const CLIENT_ID = 'erp-export-connector';
/** The programs of `npm start` are not reachable from another machine. */
const HOST = '127.0.0.1';

/** In earnest platform and ERP run elsewhere: here they give way to the connector. */
const NICENESS = 10;

export interface Addresses {
  readonly connector: string;
  readonly simulator: string;
  readonly ledger: string;
}

export function addressesOf(ports: Ports): Addresses {
  const address = (port: number) => `http://localhost:${port.toString()}`;
  return {
    connector: address(ports.connector),
    simulator: address(ports.simulator),
    ledger: address(ports.ledger),
  };
}

export function simulatorProgram(databaseUrl: string, ports: Ports, secrets: SharedSecrets): ProgramDefinition {
  const { connector, simulator } = addressesOf(ports);
  return {
    name: 'simulator',
    entry: 'sandbox/simulator/main.js',
    niceness: NICENESS,
    readyUrl: `${simulator}/control/docs`,
    environment: {
      HOST,
      SIMULATOR_PORT: ports.simulator.toString(),
      SIMULATOR_URL: simulator,
      SIMULATOR_DATABASE_URL: databaseUrl,
      SIMULATOR_CLIENT_ID: CLIENT_ID,
      SIMULATOR_CLIENT_SECRET: secrets.clientSecret,
      SIMULATOR_REDIRECT_URIS: `${connector}/oauth/callback`,
      SIMULATOR_INITIATION_URL: `${connector}/connect`,
    },
  };
}

export function ledgerProgram(databaseUrl: string, ports: Ports, secrets: SharedSecrets): ProgramDefinition {
  const { connector, ledger } = addressesOf(ports);
  return {
    name: 'ledger',
    entry: 'sandbox/ledger/main.js',
    niceness: NICENESS,
    readyUrl: `${ledger}/health`,
    environment: {
      HOST,
      LEDGER_PORT: ports.ledger.toString(),
      LEDGER_DATABASE_URL: databaseUrl,
      LEDGER_API_KEY: secrets.ledgerApiKey,
      LEDGER_URL: ledger,
      LEDGER_CLIENT_ID: CLIENT_ID,
      LEDGER_CLIENT_SECRET: secrets.ledgerClientSecret,
      LEDGER_REDIRECT_URI: `${connector}/settings/erp-sign-in`,
    },
  };
}

/** The API and the worker: the same configuration, two processes. */
export function connectorPrograms(
  databaseUrl: string,
  ports: Ports,
  secrets: SharedSecrets,
): readonly [ProgramDefinition, ProgramDefinition] {
  const { connector, simulator, ledger } = addressesOf(ports);
  const environment = {
    HOST,
    DATABASE_URL: databaseUrl,
    PORT: ports.connector.toString(),
    PUBLIC_URL: connector,
    PLATFORM_API_URL: simulator,
    PLATFORM_AUTH_URL: simulator,
    PLATFORM_CLIENT_ID: CLIENT_ID,
    PLATFORM_CLIENT_SECRET: secrets.clientSecret,
    LEDGER_URL: ledger,
    LEDGER_API_KEY: secrets.ledgerApiKey,
    ERP_LEDGER_CLIENT_ID: CLIENT_ID,
    ERP_LEDGER_CLIENT_SECRET: secrets.ledgerClientSecret,
    ERP_LEDGER_CLIENT_SERVERS: ledger,
    CREDENTIAL_KEYS: secrets.credentialKeys,
    OPERATOR_TOKEN: secrets.operatorToken,
  };
  const program = (name: string, entry: string, internalPort: number): ProgramDefinition => ({
    name,
    entry,
    readyUrl: `http://localhost:${internalPort.toString()}/health/ready`,
    environment: { ...environment, INTERNAL_PORT: internalPort.toString() },
  });
  return [
    program('connector api', 'connector/main.js', ports.connectorInternal),
    program('connector worker', 'connector/worker.js', ports.workerInternal),
  ];
}
