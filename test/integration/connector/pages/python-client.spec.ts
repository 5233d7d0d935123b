import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN, startConnectorApp, storeInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// A client in another language than ours. It needs Java for the generator, and what the client imports of Python's packages
// (Debian: default-jre-headless, python3-urllib3, python3-dateutil, python3-six, python3-certifi).

const GENERATOR = resolve('node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
const works = (program: string, ...rest: readonly string[]) => spawnSync(program, rest).status === 0;
const python = ['python3', '/usr/bin/python3'].find((each) =>
  works(each, '-c', 'import urllib3, dateutil, six, certifi'),
);
const isInstalled = python !== undefined && works('java', '-version');
// CI installs both (.ci/run), where Debian's packages can be had.
const withTools = isInstalled ? describe : describe.skip;

const PROGRAM = `
import importlib, pkgutil, sys
import erp_connector as client
modules = [importlib.import_module(found.name) for found in pkgutil.walk_packages(client.__path__, 'erp_connector.')]
configuration = client.Configuration(host=sys.argv[1])
configuration.access_token = sys.argv[2]
with client.ApiClient(configuration) as connection:
    caller = client.PeopleAndTokensApi(connection).members_me()
    overview = client.OverviewApi(connection).overview_read()
    try:
        client.ExportJobsApi(connection).jobs_read('00000000-0000-4000-8000-000000000000')
    except client.ApiException as refusal:
        print(caller.installation_id, caller.role, overview.issues.count, refusal.status, len(modules) > 100)
`;

const connector = startedOnce(startConnectorApp);

withTools(
  isInstalled ? 'a client in Python' : 'a client in Python (no Java or Python packages here, so not run)',
  () => {
    it('a client generated from the document compiles, and calls the API', async () => {
      const run = async (program: string, ...rest: readonly string[]) =>
        promisify(execFile)(program, rest, { cwd: folder });
      const folder = await mkdtemp(join(tmpdir(), 'python-client-'));
      const installation = await storeInstallation(connector, 'Python');
      const created = await connector.app.inject({
        method: 'POST',
        url: `/api/v1/operator/installations/${installation.id}/api-tokens`,
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
        payload: { role: 'viewer', label: 'python', days: 1 },
      });
      const document = await connector.app.inject({ url: '/api/openapi.json' });
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(JSON.parse(document.body, withoutNullValue)));
      await writeFile(join(folder, 'program.py'), PROGRAM);
      await connector.app.listen(0, '127.0.0.1');
      await run('java', '-jar', GENERATOR, 'generate', '-g', 'python', '-i', 'openapi.json', '-o', '.', ...OPTIONS);
      await run(python ?? 'python3', '-m', 'compileall', '-q', 'erp_connector');
      const address = await connector.app.getUrl();
      const called = await run(python ?? 'python3', 'program.py', address, created.json<{ token: string }>().token);
      expect(called.stdout).toBe(`${installation.id} viewer 0 404 True\n`);
      await rm(folder, { recursive: true });
    }, 180_000);
  },
);

// This generator, the newest that npm has, is the beta of a release that takes null among the values of an enum.
const withoutNullValue = (name: string, value: unknown): unknown =>
  name === 'enum' && Array.isArray(value) ? value.filter((each) => each !== null) : value;

const OPTIONS = ['--package-name', 'erp_connector', '--global-property', 'apiTests=false,modelTests=false'];
