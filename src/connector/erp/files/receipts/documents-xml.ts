// What a package of receipts says of itself to DATEV, so that each is found by the link of its booking:
// https://developer.datev.de/datev/platform/de/dxso/formats/document
import { crc32 } from 'node:zlib';
import { Readable } from 'node:stream';
import type { ZipFile } from '../../../../foundation/zip/zip-archive.js';
import type { FileEntry } from '../file-entry.js';
import { receiptsGuid } from './receipt-name.js';

const NAMESPACE = 'http://xml.datev.de/bedi/tps/document/v06.0';

/**
 * @param closedAt by the clocks of the company, without an offset
 * @param receipts each with its entry and its name in the archive; those of one entry are one document
 */
export function documentsXml(
  closedAt: string,
  receipts: readonly { readonly entry: FileEntry; readonly name: string }[],
): ZipFile {
  const byEntry = Map.groupBy(receipts, ({ entry }) => receiptsGuid(entry));
  const content = Buffer.from(
    [
      '<?xml version="1.0" encoding="utf-8"?>',
      `<archive xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} Document_v060.xsd" version="6.0" generatingSystem="ERP export connector">`,
      `  <header><date>${closedAt.slice(0, 19)}</date></header>`,
      '  <content>',
      ...[...byEntry].flatMap(([guid, files]) => [
        `    <document guid="${guid}">`,
        // Of letters, digits, dots, hyphens and underscores: nothing to escape.
        ...files.map(({ name }) => `      <extension xsi:type="File" name="${name}"/>`),
        '    </document>',
      ]),
      '  </content>',
      '</archive>',
      '',
    ].join('\n'),
    'utf8',
  );
  return {
    name: 'document.xml',
    sizeBytes: content.length,
    crc32: crc32(content),
    open: () => Readable.from([content]),
  };
}
