// Writes a ZIP archive while it is read, with ZIP64 where the old fields are too small (PKWARE APPNOTE 6.3.10). Files are stored,
// not compressed: what people photograph and scan is compressed already.

export interface ZipFile {
  /** With slashes between folders. */
  readonly name: string;
  /** At most 4 GiB - 2 bytes. */
  readonly sizeBytes: number;
  /** CRC-32 of the content, from 0. */
  readonly crc32: number;
  /** Exactly `sizeBytes` bytes. */
  open(): AsyncIterable<Buffer>;
}

interface WrittenFile {
  readonly file: ZipFile;
  readonly offset: number;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const END = 0x06054b50;

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const VERSION = 20;
const VERSION_ZIP64 = 45;
/** Made on Unix, so that the attributes are a file's mode. */
const MADE_BY = (3 << 8) | VERSION_ZIP64;
const NAMES_ARE_UTF8 = 1 << 11;
/** A plain file, readable by all users. */
const MODE = (0o100644 << 16) >>> 0;

/**
 * The same bytes for the same files and time.
 * @param modifiedAt what each file is dated with, in UTC; to two seconds, from 1980
 * @throws RangeError for a file whose content has another size than it says
 */
export async function* zipArchive(files: AsyncIterable<ZipFile>, modifiedAt: Date): AsyncGenerator<Buffer> {
  const time = dosTime(modifiedAt);
  const written: WrittenFile[] = [];
  let offset = 0;
  for await (const file of files) {
    written.push({ file, offset });
    const header = localHeader(file, time);
    yield header;
    let size = 0;
    for await (const part of file.open()) {
      size += part.length;
      yield part;
    }
    if (size !== file.sizeBytes) throw new RangeError(`${file.name} has ${size.toString()} bytes`);
    offset += header.length + size;
  }
  let directoryBytes = 0;
  for (const one of written) {
    const header = centralHeader(one, time);
    directoryBytes += header.length;
    yield header;
  }
  yield endOf(written.length, offset, directoryBytes);
}

function localHeader({ name, sizeBytes, crc32 }: ZipFile, time: number): Buffer {
  const encoded = Buffer.from(name, 'utf8');
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(NAMES_ARE_UTF8, 6);
  header.writeUInt32LE(time, 10);
  header.writeUInt32LE(crc32, 14);
  header.writeUInt32LE(sizeBytes, 18);
  header.writeUInt32LE(sizeBytes, 22);
  header.writeUInt16LE(encoded.length, 26);
  return Buffer.concat([header, encoded]);
}

function centralHeader({ file, offset }: WrittenFile, time: number): Buffer {
  const encoded = Buffer.from(file.name, 'utf8');
  const extra = offset < MAX_32 ? Buffer.alloc(0) : offsetExtra(offset);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(MADE_BY, 4);
  header.writeUInt16LE(extra.length === 0 ? VERSION : VERSION_ZIP64, 6);
  header.writeUInt16LE(NAMES_ARE_UTF8, 8);
  header.writeUInt32LE(time, 12);
  header.writeUInt32LE(file.crc32, 16);
  header.writeUInt32LE(file.sizeBytes, 20);
  header.writeUInt32LE(file.sizeBytes, 24);
  header.writeUInt16LE(encoded.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(MODE, 38);
  header.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([header, encoded, extra]);
}

function offsetExtra(offset: number): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  return extra;
}

function endOf(files: number, directoryOffset: number, directoryBytes: number): Buffer {
  const isLarge = files >= MAX_16 || directoryOffset >= MAX_32 || directoryBytes >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(files, MAX_16), 8);
  end.writeUInt16LE(Math.min(files, MAX_16), 10);
  end.writeUInt32LE(Math.min(directoryBytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(directoryOffset, MAX_32), 16);
  return isLarge ? Buffer.concat([zip64End(files, directoryOffset, directoryBytes), end]) : end;
}

function zip64End(files: number, directoryOffset: number, directoryBytes: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(ZIP64_END, 0);
  // Of the record after this field.
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(MADE_BY, 12);
  end.writeUInt16LE(VERSION_ZIP64, 14);
  end.writeBigUInt64LE(BigInt(files), 24);
  end.writeBigUInt64LE(BigInt(files), 32);
  end.writeBigUInt64LE(BigInt(directoryBytes), 40);
  end.writeBigUInt64LE(BigInt(directoryOffset), 48);
  end.writeUInt32LE(ZIP64_LOCATOR, 56);
  end.writeBigUInt64LE(BigInt(directoryOffset + directoryBytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Date in the upper half, time in the lower one. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}
