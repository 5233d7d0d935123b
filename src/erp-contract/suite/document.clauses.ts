import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import type { StoreDocumentOutcome } from '../../connector/erp/erp-ledger.js';
import type { Contract } from './contract.js';

/** Receipts: stored first, then put behind the entry in one transaction with it. */
export function documentClauses(contract: Contract): void {
  const { level } = contract;
  const newBytes = () => Buffer.from(`%PDF-1.7 ${randomUUID()} \0 ü`);
  const store = (bytes: Buffer, erp: ConnectedErp = contract.erp, mediaType = 'application/pdf') =>
    erp.storeDocument({
      name: 'receipt.pdf',
      mediaType,
      sizeBytes: bytes.length,
      content: Readable.from([bytes.subarray(0, 5), bytes.subarray(5)], { objectMode: false }),
    });
  const idOf = (outcome: StoreDocumentOutcome) => ('documentId' in outcome ? outcome.documentId : '');
  const namesBehind = async (key: string) => (await contract.documentsUnder(key)).map(({ fileName }) => fileName);

  describe('a document', () => {
    it('is stored once for repeated calls', async () => {
      const [bytes, others] = [newBytes(), newBytes()];
      const first = await store(bytes);
      expect(first.outcome).toBe('stored');
      expect(await store(bytes)).toEqual(first);
      expect(idOf(await store(others))).not.toBe(idOf(first));
    });

    it.each(['request', 'answer'] as const)('can be stored again when the %s is lost', async (part) => {
      const bytes = newBytes();
      const lost = await contract.lose(part, (erp) => store(bytes, erp));
      expect(lost).toMatchObject({ outcome: 'unavailable' });
      expect(await store(bytes)).toMatchObject({ outcome: 'stored' });
    });

    it('is not stored when its content breaks off, and the call fails with the error of the content', async () => {
      const broken = new Error('the file host hung up');
      const content = new Readable({
        read() {
          this.push(Buffer.from('%PDF'));
          this.destroy(broken);
        },
      });
      const document = { name: 'a.pdf', mediaType: 'application/pdf', sizeBytes: 1_000, content };
      await expect(contract.erp.storeDocument(document)).rejects.toBe(broken);
    });

    it('of an unsupported type is omitted', async () => {
      expect(await store(newBytes(), contract.erp, 'application/x-msdownload')).toEqual({
        outcome: 'unsupported-type',
      });
    });

    it('is attached to the entry it is posted with, byte by byte', async () => {
      const bytes = newBytes();
      const documentId = idOf(await store(bytes));
      const group = contract.group({ documents: [{ documentId, fileName: 'Quittung Bäckerei.pdf' }] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      expect(await contract.documentsUnder(group.key)).toEqual([
        { role: 'entry', fileName: 'Quittung Bäckerei.pdf', content: bytes },
      ]);
    });
  });

  describe('documents of a group', () => {
    it('keep their order', async () => {
      const documents = [];
      for (const fileName of ['3.pdf', '1.pdf', '2.pdf', '10.pdf']) {
        documents.push({ documentId: idOf(await store(newBytes())), fileName });
      }
      const group = contract.group({ documents });
      await contract.post(group);
      expect(await namesBehind(group.key)).toEqual(['3.pdf', '1.pdf', '2.pdf', '10.pdf']);
    });

    it('are attached to the invoice, not to its payment', async () => {
      const documentId = idOf(await store(newBytes()));
      const vendor = { id: contract.vendorId(contract.company.vendor), code: contract.company.vendor };
      const payable = (minor: bigint) => contract.line('payables', minor, { vendor });
      const group = contract.group({
        entries: [
          contract.entry({ role: 'invoice' }, [contract.line('expense', 500n), payable(-500n)]),
          contract.entry({ role: 'payment' }, [payable(500n), contract.line('wallet', -500n)]),
        ],
        documents: [{ documentId, fileName: 'a.pdf' }],
      });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      expect(await contract.documentsUnder(group.key)).toMatchObject([{ role: 'invoice' }]);
    });

    it('that the ERP does not know cause its refusal', async () => {
      const known = idOf(await store(newBytes()));
      const unknown = `${known.slice(0, -4)}${known.endsWith('0000') ? '1111' : '0000'}`;
      const group = contract.group({ documents: [{ documentId: unknown, fileName: 'a.pdf' }] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'refused', message: expect.any(String) });
      expect(await contract.effects(group.key)).toBe(0);
    });

    if (level === 'permanent-key' || level === 'expiring-key') {
      it('are not part of its content, and missing ones are added', async () => {
        const [first, second] = [idOf(await store(newBytes())), idOf(await store(newBytes()))];
        const group = contract.group({ documents: [{ documentId: first, fileName: '1.pdf' }] });
        await contract.post(group);
        const documents = [...group.documents, { documentId: second, fileName: '2.pdf' }];
        expect(await contract.post({ ...group, documents })).toMatchObject({ outcome: 'existed' });
        expect(await namesBehind(group.key)).toEqual(['1.pdf', '2.pdf']);
      });
    }
  });
}
