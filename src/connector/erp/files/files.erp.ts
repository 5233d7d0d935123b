// ERPs without an interface: journal entries are collected and given out as numbered files (docs/erp-files.md).
import { ErpUnavailable } from '../erp-ledger.js';
import { guaranteeOf, type ErpCapabilities } from '../kit/capabilities.js';
import { defineErp, ERP_API_VERSION, type ErpSettings } from '../kit/define-erp.js';
import { BatchBucket, bucketHttp } from './batch-bucket.js';
import { BatchFolder } from './batch-folder.js';
import { MAX_LINES } from './decide-post.js';
import { fileFormats } from './formats/file-formats.js';
import { FilesBatches } from './files-batches.js';
import { FilesBooks } from './files-books.js';
import { FilesLedger } from './files-ledger.js';
import { FilesReferenceData } from './files-reference-data.js';
import { filesSettingsSchema } from './settings/files-settings.schema.js';
import { formatOf, InvalidFilesSettings, readFilesSettings, type FilesSettings } from './settings/files-settings.js';
import { ReceiptFiles } from './receipts/receipt-files.js';
import { WriteBatches, type BatchTarget } from './write-batches.js';

/** @param folder of the operator's, in which each connection finds its batches as well; undefined: they are downloaded only */
export const filesErp = (folder?: string) =>
  defineErp({
    id: 'files',
    name: 'Files (SIE, DATEV, CSV)',
    names: { de: 'Dateien (SIE, DATEV, CSV)' },
    apiVersion: ERP_API_VERSION,
    connection: { schema: filesSettingsSchema, secrets: ['bucketAccessKeyId', 'bucketSecretAccessKey'] },
    capabilities,
    // The books are in the connection's own store: no other installation can take them.
    systemOf: () => undefined,
    create({ settings, capabilities, store, clock, connectionId, http, ...context }) {
      const read = readOnce(settings);
      let bucket: BatchBucket | undefined;
      const placesOf = ({ bucket: settings }: FilesSettings): readonly BatchTarget[] => {
        bucket ??= settings && new BatchBucket(settings, connectionId, http(bucketHttp(settings)), clock);
        const folders = folder === undefined ? [] : [new BatchFolder(folder, connectionId)];
        return bucket === undefined ? folders : [...folders, bucket];
      };
      const log: typeof context.log = (...said) => {
        context.log(...said);
      };
      const books = new FilesBooks(store, read, clock, log);
      return {
        ledger: new FilesLedger(read, books, new ReceiptFiles(store, clock, log), guaranteeOf(capabilities)),
        referenceData: new FilesReferenceData(read),
        // What the files are, and what is refused before it gets into one.
        describe: () =>
          Promise.resolve({
            version: FORMAT_NAMES[read().format],
            may: { attach: true, 'post-to-closed-periods': false },
          }),
        batches: () => new FilesBatches(store, read(), clock, new WriteBatches(store, placesOf(read()))),
      };
    },
  });

const FORMAT_NAMES: Readonly<Record<FilesSettings['format'], string>> = {
  sie: 'SIE 4 (files)',
  datev: 'DATEV Buchungsstapel (files)',
  csv: 'CSV (files)',
};

/** When they are first needed, so that the sentences about them reach the person who connects. */
function readOnce(settings: ErpSettings): () => FilesSettings {
  let read: FilesSettings | undefined;
  return () => {
    try {
      return (read ??= readFilesSettings(settings));
    } catch (error) {
      if (error instanceof InvalidFilesSettings) {
        throw new ErpUnavailable({ kind: 'server-error', message: error.message });
      }
      throw error;
    }
  };
}

function capabilities(settings: ErpSettings): ErpCapabilities {
  return {
    uniqueKey: { kind: 'forever' },
    search: { kind: 'immediate' },
    requestMayTakeMs: 0,
    atomicity: 'group',
    documents: 'before',
    tax: 'posted',
    taxDetails: true,
    payablesNeedVendor: false,
    settlement: false,
    reversal: true,
    drafts: false,
    dimensions: true,
    rates: false,
    givesFiles: true,
    vendorCreation: false,
    limits: {
      groupsPerCall: 100,
      linesPerEntry: MAX_LINES,
      textLength: fileFormats[formatOf(settings)].textLength,
      concurrentRequests: 8,
      requestsPerMinute: undefined,
    },
  };
}
