import { describe, expect, it } from '@jest/globals';
import { documentEntryOf, findUnknownDocument, placeDocuments } from './place-documents.js';

const document = (digest: string) => ({ digest, fileName: `${digest}.pdf` });
const digests = (count: number) => new Set(Array.from({ length: count }, (_, index) => `d${index.toString()}`));

describe('the entry that documents belong to', () => {
  it.each([
    [['payment', 'invoice'], 'invoice'],
    [['receipt', 'credit-note'], 'credit-note'],
    [['entry'], 'entry'],
    [['payment'], 'payment'],
  ])('of %j is the %s', (roles, expected) => {
    expect(documentEntryOf(roles.map((role) => ({ role })))?.role).toBe(expected);
  });
});

describe('documents of a new group', () => {
  it('are all known', () => {
    expect(findUnknownDocument({ documents: [document('a')] }, new Set(['a']))).toBeUndefined();
  });

  it('report the first unknown one', () => {
    const documents = [document('a'), document('b'), document('c')];
    expect(findUnknownDocument({ documents }, new Set(['a']))).toEqual({
      code: 'document_unknown',
      message: 'The document b.pdf (b) is not stored; store it first.',
      field: '/documents/1/digest',
    });
  });
});

describe('documents of a group that is in the books', () => {
  it('are added when missing, each once, in order', () => {
    const { placed, warnings } = placeDocuments(
      [document('c'), document('a'), document('b'), { digest: 'c', fileName: 'again.pdf' }],
      new Set(['a', 'b', 'c']),
      new Set(['a']),
    );
    expect(placed).toEqual([document('c'), document('b')]);
    expect(warnings).toEqual([]);
  });

  it('that are not stored cause a warning', () => {
    expect(placeDocuments([document('a'), document('b')], new Set(['b']), new Set())).toEqual({
      placed: [document('b')],
      warnings: [
        {
          code: 'document-missing',
          message: 'The document a.pdf is not attached to the entry: it is not stored.',
        },
      ],
    });
  });

  it.each([
    [99, 1, 0],
    [100, 0, 1],
  ])('with %d others: %d added, %d warnings', (present, placed, warned) => {
    const placing = placeDocuments([document('x')], new Set(['x']), digests(present));
    expect([placing.placed.length, placing.warnings.length]).toEqual([placed, warned]);
  });
});
