import { textOf, type ExportItem, type Nullable } from '../../bookkeeping/item/export-item.js';

/** A file behind an item, as the platform announces it. None of what it says need be true. */
export interface ReceiptFile {
  /** From 1, in the order of the item's files. */
  readonly position: number;
  /** Files of the item. */
  readonly count: number;
  /** Valid for 24 hours from the fetch of the item. */
  readonly url: string | undefined;
  /** In lower case, without parameters. */
  readonly mediaType: string | undefined;
  readonly announcedBytes: number | undefined;
}

/** Spellings that are in use for the types of P9.7. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
  ['text/xml', 'application/xml'],
]);
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/heic', 'heic'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['application/xml', 'xml'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);
/** Generic types: the default of a file store that does not know the type. */
const UNSPECIFIC: ReadonlySet<string> = new Set(['application/octet-stream', 'binary/octet-stream']);
const JSON_NUMBER = /^\d+(\.\d+)?(e[+-]?\d+)?$/i;
const MEDIA_TYPE = /^[a-z]+\/[a-z0-9.+-]{1,100}$/;
const FILE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]{0,99}\.([A-Za-z0-9]{1,5})$/u;

/** @returns the item's files in its order; null among them counts as nothing */
export function receiptFilesOf(item: ExportItem): readonly ReceiptFile[] {
  const files = (item.files ?? []).filter((file) => file !== null && file !== undefined);
  return files.map(({ url, type, size }, index) => ({
    position: index + 1,
    count: files.length,
    url: textOf(url),
    mediaType: mediaTypeOf(type),
    announcedBytes: bytesOf(size),
  }));
}

/** @returns undefined for what is no whole number, however it is written: `2084`, `2084.0`, `2.084E3` */
function bytesOf(size: Nullable<string>): number | undefined {
  const bytes = JSON_NUMBER.test(size ?? '') ? Number(size) : NaN;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** @returns undefined for what is no media type */
export function mediaTypeOf(text: Nullable<string>): string | undefined {
  const type = text?.split(';')[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? (ALIASES.get(type) ?? type) : undefined;
}

/**
 * @param contentType of the response that brought the file
 * @returns whether it may be the announced file: a response that says nothing contradicts nothing
 */
export function fitsAnnouncement({ mediaType }: ReceiptFile, contentType: string | undefined): boolean {
  const came = mediaTypeOf(contentType);
  return came === undefined || came === mediaType || UNSPECIFIC.has(came);
}

/** The last part of the file's address where it is a name with the right extension, otherwise one made of its place. */
export function fileNameOf({ url, mediaType, position }: ReceiptFile): string {
  const extension = EXTENSIONS.get(mediaType ?? '');
  const made = `receipt-${position.toString()}${extension === undefined ? '' : `.${extension}`}`;
  const last = decoded(/^[^?#]*\/([^/?#]+)(?:[?#]|$)/.exec(url ?? '')?.[1] ?? '');
  const found = FILE_NAME.exec(last)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
  return found !== undefined && found === extension ? last : made;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
