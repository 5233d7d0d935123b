import { describe, expect, it } from '@jest/globals';
import { itemOf } from '../../bookkeeping/item/planning.fixtures.js';
import { fileNameOf, fitsAnnouncement, mediaTypeOf, receiptFilesOf, type ReceiptFile } from './receipt-file.js';

const announced = (changes: Partial<ReceiptFile> = {}): ReceiptFile => ({
  position: 2,
  count: 3,
  url: 'https://files.example/a.pdf',
  mediaType: 'application/pdf',
  announcedBytes: 2_084,
  ...changes,
});

describe('the files of an item', () => {
  it('have the fields that the platform announced', () => {
    const files = [
      { url: 'https://files.example/a.pdf', type: 'Application/PDF; x=y', size: '2084' },
      null,
      { url: ' ', type: 'pdf', size: '-1' },
      {},
    ];
    expect(receiptFilesOf({ ...itemOf({ type: 'card_purchase', amount: '100', lines: [] }), files })).toEqual([
      {
        position: 1,
        count: 3,
        url: 'https://files.example/a.pdf',
        mediaType: 'application/pdf',
        announcedBytes: 2_084,
      },
      { position: 2, count: 3, url: undefined, mediaType: undefined, announcedBytes: undefined },
      { position: 3, count: 3, url: undefined, mediaType: undefined, announcedBytes: undefined },
    ]);
  });

  it.each([
    ['2084.0', 2_084],
    ['2E3', 2_000],
    ['2.0840e+3', 2_084],
    ['0', 0],
    ['2084.5', undefined],
    ['-1', undefined],
    ['1e16', undefined],
    ['', undefined],
    ['0x10', undefined],
    [null, undefined],
  ])('have the size %p as %p', (size, bytes) => {
    const item = itemOf({ type: 'card_purchase', amount: '100', lines: [] });
    expect(receiptFilesOf({ ...item, files: [{ size }] })[0]?.announcedBytes).toBe(bytes);
  });

  it.each([[undefined], [null]])('are empty when the item has %p', (files) => {
    expect(receiptFilesOf({ ...itemOf({ type: 'card_purchase', amount: '100', lines: [] }), files })).toEqual([]);
  });
});

describe('a media type', () => {
  it.each([
    ['image/jpg', 'image/jpeg'],
    ['IMAGE/PJPEG', 'image/jpeg'],
    ['image/x-png', 'image/png'],
    ['application/x-pdf', 'application/pdf'],
    ['text/xml; charset=utf-8', 'application/xml'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
    ['pdf', undefined],
    ['', undefined],
    [null, undefined],
  ])('%p is %p', (text, type) => {
    expect(mediaTypeOf(text)).toBe(type);
  });
});

describe('a response', () => {
  it.each([
    ['application/pdf', true],
    ['application/x-pdf; name=a.pdf', true],
    ['application/octet-stream', true],
    ['binary/octet-stream', true],
    [undefined, true],
    ['text/html', false],
    ['image/png', false],
  ])('of type %p may be the announced PDF: %p', (type, fits) => {
    expect(fitsAnnouncement(announced(), type)).toBe(fits);
  });
});

describe('the name of a file', () => {
  it.each([
    ['https://files.example/2026/taxi.pdf?sig=x.y', 'taxi.pdf'],
    ['https://files.example/Beleg%20B%C3%A4cker.PDF', 'Beleg Bäcker.PDF'],
    ['https://files.example/taxi.png', 'receipt-2.pdf'],
    ['https://files.example/0198c5a0', 'receipt-2.pdf'],
    ['https://files.example/..%2F..%2Fetc.pdf', 'receipt-2.pdf'],
    ['https://files.example/a%00b.pdf', 'receipt-2.pdf'],
    ['https://files.example/%E0%A4%A.pdf', 'receipt-2.pdf'],
    ['https://files.example/', 'receipt-2.pdf'],
    [undefined, 'receipt-2.pdf'],
  ])('of %p is %p', (url, name) => {
    expect(fileNameOf(announced({ url }))).toBe(name);
  });

  it('has no extension when its type has none', () => {
    expect(fileNameOf(announced({ mediaType: 'application/x-other' }))).toBe('receipt-2');
  });

  it('keeps either extension of JPEG', () => {
    const url = 'https://files.example/taxi.jpeg';
    expect(fileNameOf(announced({ url, mediaType: 'image/jpeg' }))).toBe('taxi.jpeg');
  });
});
