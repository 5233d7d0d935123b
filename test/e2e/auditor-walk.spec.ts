import { expect, it } from '@jest/globals';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { runDocument } from '../support/run-document.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));

it('every line of docs/auditor.md works as written, from the VAT report to the receipt', async () => {
  await triggerExport(programs.clients.simulator);
  await programs.verdict();
  const { url, token } = programs.operator;
  const { LEDGER_URL, LEDGER_API_KEY } = programs.connectorEnvironment;
  const { failure, output } = await runDocument('docs/auditor.md', {
    C: url,
    OPERATOR: token,
    L: LEDGER_URL,
    LEDGER_KEY: LEDGER_API_KEY,
  });
  expect(failure).toBeUndefined();
  // Tied to the tax accounts; the chain is whole; the receipt is the one that the entry names.
  expect(output).toMatch(/^0$/m);
  expect(output).toContain('"intact":true');
  expect(output).toContain('receipt.pdf: OK');
});
