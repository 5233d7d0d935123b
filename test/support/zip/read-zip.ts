// Reads a ZIP archive of stored files by its directory, as programs do that unpack one.
import { crc32 } from 'node:zlib';

/** @throws Error when the directory, a file or its checksum is not where it has to be */
export function readZip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.length - 22;
  expectSignature(archive, end, 0x06054b50);
  const isLarge = archive.readUInt16LE(end + 10) === 0xffff;
  const record = isLarge ? Number(archive.readBigUInt64LE(end - 20 + 8)) : end;
  if (isLarge) expectSignature(archive, record, 0x06064b50);
  const count = isLarge ? Number(archive.readBigUInt64LE(record + 32)) : archive.readUInt16LE(end + 10);
  let at = isLarge ? Number(archive.readBigUInt64LE(record + 48)) : archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    expectSignature(archive, at, 0x02014b50);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const content = contentAt(archive, archive.readUInt32LE(at + 42), archive.readUInt32LE(at + 20));
    if (crc32(content) !== archive.readUInt32LE(at + 16)) throw new Error(`the checksum of ${name} is wrong`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, content);
    at += 46 + nameLength + archive.readUInt16LE(at + 30);
  }
  if (at !== record) throw new Error('the directory ends elsewhere');
  return files;
}

function contentAt(archive: Buffer, header: number, size: number): Buffer {
  expectSignature(archive, header, 0x04034b50);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  return archive.subarray(start, start + size);
}

function expectSignature(archive: Buffer, at: number, signature: number): void {
  if (archive.readUInt32LE(at) !== signature) throw new Error(`no record at ${at.toString()}`);
}
