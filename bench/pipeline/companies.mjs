// Many companies like that of the demo, each with a small job to export.
import { setTimeout as sleep } from 'node:timers/promises';
import { firstCustomer } from '../../build/sandbox/launch/demo/demo-customers.js';

/** A second apart. */
const LOOKS = 300;

/** @returns a job of each, once what their connection has brought about is done */
export async function connectCompanies(programs, client, companies, items) {
  const customers = Array.from({ length: companies }, (_, index) => customer(index + 1));
  await programs.withWorker(async () => {
    for (const each of customers) await programs.connect(each);
    await untilQuiet(client, companies);
  });
  return customers.map(({ company }) => ({ companyId: company.id, ledgerId: company.ledgerId, count: items }));
}

/** A worker looks for jobs of all companies at its next look, within a second. */
export async function detectNow(client) {
  await client.query('UPDATE connector.installation SET next_poll_at = now()');
}

/** What a new connection brings about is no part of an export: its lists are read, its mapping is compared. */
async function untilQuiet(client, companies) {
  for (let look = 0; look < LOOKS; look += 1) {
    const { rows } = await client.query(`
      SELECT (SELECT count(*) FROM connector.sync_run WHERE state IN ('requested', 'running'))::int AS syncs,
        (SELECT count(*) FROM connector.drift_check WHERE checked_at IS NOT NULL)::int AS compared`);
    if (rows[0].syncs === 0 && rows[0].compared >= companies) return;
    await sleep(1_000);
  }
  throw new Error('the worker has not finished what the new connections brought about');
}

/** A company like that of the demo. */
function customer(number) {
  const id = (kind) => `b0057000-000${kind}-4000-8000-${number.toString(16).padStart(12, '0')}`;
  const registrationNumber = String(20_000_000 + number);
  const people = firstCustomer.people.slice(0, 1).map((person) => ({ ...person, id: id(3) }));
  const company = { ...firstCustomer.company, id: id(1), ledgerId: id(2), registrationNumber };
  return { ...firstCustomer, company, people, emailDomain: `company-${number}.example`, platformVendors: [] };
}
