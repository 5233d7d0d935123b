// Receipts of a few demo purchases: one page with what was bought, as the smallest PDF that every viewer opens.
import { demoItems } from './demo-items.js';

export interface DemoReceipts {
  readonly itemId: string;
  /** As the simulator's control takes them. */
  readonly files: readonly { readonly name: string; readonly type: string; readonly content: string }[];
}

const MAX_RECEIPTS = 8;
const LINE_HEIGHT = 24;
const TOP = 760;

export const demoReceipts: readonly DemoReceipts[] = demoItems
  .filter(({ entry }) => entry.type === 'card_purchase')
  .slice(0, MAX_RECEIPTS)
  .map(({ entry, item }) => {
    const { currency, value } = item.amount.inSupplierCurrency;
    const amount = `${(value / 100).toFixed(2)} ${currency}`;
    const page = pdfOf([entry.supplier ?? '', entry.note, entry.at.slice(0, 10), amount]);
    const name = `receipt-${entry.at.slice(0, 10)}.pdf`;
    return {
      itemId: item.accountingEntryId,
      files: [{ name, type: 'application/pdf', content: page.toString('base64') }],
    };
  });

function pdfOf(lines: readonly string[]): Buffer {
  const shown = lines.map((line, index) => {
    const escaped = line.replaceAll(/[\\()]/g, String.raw`\$&`);
    return `BT /F1 14 Tf 72 ${(TOP - index * LINE_HEIGHT).toString()} Td (${escaped}) Tj ET`;
  });
  const content = shown.join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length.toString()} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${(index + 1).toString()} 0 obj\n${object}\nendobj\n`;
    return `${place.toString().padStart(10, '0')} 00000 n \n`;
  });
  const size = (objects.length + 1).toString();
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length.toString()}\n%%EOF\n`;
  // One byte per character, so that places in the text are places in the file.
  return Buffer.from(`${text}${table}${end}`, 'latin1');
}
