import { beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { runDocument } from '../support/run-document.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

const previewSchema = z.object({ id: z.string(), entries: z.number(), source: z.string() });
const entriesSchema = z.object({
  data: z.array(z.object({ action: z.string(), differences: z.array(z.unknown()) })),
  nextCursor: z.string().nullable(),
});
const issuesSchema = z.object({ data: z.array(z.object({ issueKey: z.string(), entries: z.number() })) });

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
let jobId: string;

beforeAll(async () => {
  await triggerExport(programs.clients.simulator);
  jobId = (await programs.verdict()).id;
});

async function readIssues(state: string): Promise<readonly string[]> {
  const { data } = await programs.clients.connector.read(`/api/v1/issues?state=${state}`, issuesSchema);
  return data.map(({ issueKey }) => issueKey);
}

it('the preview of the posted demo with its own version has no difference', async () => {
  const { connector } = programs.clients;
  const answer = await connector.post('/api/v1/previews', { jobId, limit: 1_000, mappingVersion: 1 });
  const preview = connector.parse(previewSchema, answer, 'preview');
  expect(preview).toMatchObject({ entries: 147, source: 'stored' });
  const actions: string[] = [];
  let after = '';
  do {
    const path = `/api/v1/previews/${preview.id}/entries?limit=100${after}`;
    const { data, nextCursor } = await connector.read(path, entriesSchema);
    expect(data.flatMap(({ differences }) => differences)).toEqual([]);
    actions.push(...data.map(({ action }) => action));
    after = nextCursor === null ? '' : `&after=${nextCursor}`;
  } while (after !== '');
  const count = (wanted: string) => actions.filter((action) => action === wanted).length;
  expect([count('report-existing'), actions.length]).toEqual([142, 147]);
});

it('every line of docs/bookkeeper.md works as written', async () => {
  expect((await readIssues('open')).toSorted()).toEqual([
    'account:6475',
    'entry:sum',
    'tag:prj:2612',
    'tax-code:EE22',
    'vendor-blocked:V-00007',
  ]);
  const { url, token } = programs.operator;
  const { failure, output } = await runDocument('docs/bookkeeper.md', { C: url, OPERATOR: token });
  expect(failure).toBeUndefined();
  expect((await readIssues('open')).toSorted()).toEqual(['entry:sum', 'tag:prj:2612', 'vendor-blocked:V-00007']);
  expect((await readIssues('closed')).toSorted()).toEqual(['account:6475', 'tax-code:EE22']);
  expect(output).toContain('"reason":"EE22 has ended"');
});
