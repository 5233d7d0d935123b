import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readZip } from '../../../test/support/zip/read-zip.js';
import { zipArchive, type ZipFile } from './zip-archive.js';

const AT = new Date('2026-03-31T22:30:59.123Z');

const fileOf = (name: string, content: Buffer, sizeBytes = content.length): ZipFile => ({
  name,
  sizeBytes,
  crc32: crc32(content),
  // In two parts, as a stream comes.
  open: () => Readable.from([content.subarray(0, 3), content.subarray(3)]),
});

const archived = (files: readonly ZipFile[]) => buffer(zipArchive(Readable.from(files), AT));

describe('a ZIP archive', () => {
  it('contains each file under its name, byte for byte', async () => {
    const contents = new Map([
      ['17-1-taxi.pdf', Buffer.from('%PDF-1.7 \0 ü')],
      ['empty.txt', Buffer.alloc(0)],
      ['folder/Bäckerei.png', Buffer.from([0, 255, 10, 13])],
    ]);
    expect(readZip(await archived([...contents].map(([name, content]) => fileOf(name, content))))).toEqual(contents);
  });

  it('without files is valid', async () => {
    expect(readZip(await archived([]))).toEqual(new Map());
  });

  it('has the same bytes each time, with the given date', async () => {
    const files = [fileOf('a.pdf', Buffer.from('one')), fileOf('b.pdf', Buffer.from('two'))];
    const archive = await archived(files);
    expect(await archived(files)).toEqual(archive);
    expect(archive.readUInt16LE(10)).toBe((22 << 11) | (30 << 5) | 29);
    expect(archive.readUInt16LE(12)).toBe((46 << 9) | (3 << 5) | 31);
  });

  it('holds more files than its 16-bit fields can count', async () => {
    const files = Array.from({ length: 65_540 }, (_, index) => ({
      ...fileOf(`${index.toString()}.txt`, Buffer.alloc(0)),
      open: () => Readable.from([]),
    }));
    expect(readZip(await archived(files)).size).toBe(65_540);
  });

  it('holds more bytes than its 32-bit fields can count', async () => {
    const part = Buffer.alloc(2 ** 26);
    const large = { name: 'x', sizeBytes: 2 ** 31, crc32: 0, open: () => Readable.from(Array<Buffer>(32).fill(part)) };
    const kept: Buffer[] = [];
    for await (const chunk of zipArchive(Readable.from([large, large, large]), AT))
      if (chunk !== part) kept.push(chunk);
    const [header, end] = [kept.at(-2) ?? part, kept.at(-1) ?? part];
    const third = 2n * (2n ** 31n + 31n);
    expect([header.readUInt32LE(42), header.readBigUInt64LE(header.length - 8)]).toEqual([0xffffffff, third]);
    expect([end.readBigUInt64LE(48), end.readUInt32LE(end.length - 6)]).toEqual([third + 2n ** 31n + 31n, 0xffffffff]);
  });

  it('fails when a content does not have its declared length', async () => {
    await expect(archived([fileOf('a.pdf', Buffer.from('short'), 6)])).rejects.toThrow('a.pdf has 5 bytes');
  });
});
