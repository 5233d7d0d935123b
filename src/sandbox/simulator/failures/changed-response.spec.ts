import { describe, expect, it } from '@jest/globals';
import { changeResponse } from './changed-response.js';

const PAGE = '{"data":[{"status":"pending","value":-12000.10}],"pagination":{"hasNextPage":false}}';

describe('changedAnswer', () => {
  it.each([
    ['malformed', null, PAGE.slice(0, -1)],
    [
      'endless_paging',
      'QQ',
      '{"data":[{"status":"pending","value":-12000.10}],"pagination":{"hasNextPage":true,"endCursor":"QQ"}}',
    ],
    [
      'unknown_values',
      null,
      '{"data":[{"status":"something_new","value":-12000.10}],"pagination":{"hasNextPage":false}}',
    ],
    [
      'unknown_fields',
      null,
      '{"data":[{"status":"pending","value":-12000.10,"somethingNew":{"version":9}}],' +
        '"pagination":{"hasNextPage":false,"somethingNew":{"version":9}},"somethingNew":{"version":9}}',
    ],
  ] as const)('makes it %s', (change, after, expected) => {
    expect(changeResponse(change, PAGE, after)).toBe(expected);
  });

  it('keeps the cursor of a page that has one', () => {
    const answer = '{"pagination":{"hasNextPage":true,"endCursor":"ZZ"}}';
    expect(changeResponse('endless_paging', answer, 'QQ')).toBe(answer);
  });

  it('keeps a body that is not a JSON object', () => {
    expect(changeResponse('unknown_fields', 'plain', null)).toBe('plain');
  });
});
