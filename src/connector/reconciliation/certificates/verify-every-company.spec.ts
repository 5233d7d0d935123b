import { describe, expect, it } from '@jest/globals';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { verifyEveryCompany } from './verify-every-company.js';
import type { CertificateCheck } from './verify-certificates.js';

const [AWAY, SOUND, BROKEN, DIFFERENT] = [1, 2, 3, 4].map((n) =>
  toInstallationId(`00000000-0000-4000-8000-00000000000${n.toString()}`),
) as [InstallationId, InstallationId, InstallationId, InstallationId];

const check = (problems: readonly string[], isOfDifference: boolean): CertificateCheck => ({
  sequence: 1n,
  exportJobId: 'job',
  problems,
  missing: { count: 0, named: [] },
  isOfDifference,
});

async function verify(...installations: readonly InstallationId[]) {
  const [printed, warned]: [string[], string[]] = [[], []];
  const verifier = {
    async *verifyAll(installationId: InstallationId) {
      const problems = installationId === BROKEN ? ['its hash is another'] : [];
      yield await Promise.resolve(check(problems, installationId === DIFFERENT));
      if (installationId === AWAY) {
        throw new ErpUnavailable({ kind: 'unreachable', message: 'the ERP does not respond' });
      }
    },
  };
  const status = await verifyEveryCompany(
    { certificates: { listInstallations: () => Promise.resolve(installations) }, verifier },
    { print: (line) => printed.push(line), warn: (line) => warned.push(line) },
  );
  return { status, last: printed.at(-1), printed, warned };
}

describe('the certificates of all companies', () => {
  it('are verified although one ledger cannot be asked, which is said', async () => {
    expect(await verify(AWAY, SOUND)).toMatchObject({
      status: 2,
      last: '2 certificates verified, 0 failures, 1 companies not verified to the end',
      warned: [`installation ${AWAY}: the ERP does not respond`],
    });
  });

  it('that do not hold weigh more than a ledger that cannot be asked', async () => {
    const { status, printed } = await verify(AWAY, BROKEN);
    expect(status).toBe(1);
    expect(printed[0]).toBe(`certificate 1 of job job, installation ${BROKEN}: its hash is another`);
  });

  it('that all hold are status 0', async () => {
    expect(await verify(SOUND)).toMatchObject({ status: 0, last: '1 certificates verified, 0 failures', warned: [] });
  });

  it('that were made of a difference are listed and counted, and hold', async () => {
    expect(await verify(SOUND, DIFFERENT)).toMatchObject({
      status: 0,
      printed: [
        `certificate 1 of job job, installation ${DIFFERENT}: made while the ERP showed something else than was planned: look at its discrepancies`,
        '2 certificates verified, 0 failures, 1 made while something differed',
      ],
    });
  });
});
