import { expect, it } from '@jest/globals';
import { englishText } from '../../messages/texts.js';
import {
  downloadFailure,
  failedItemMessage,
  missingReceiptWarning,
  tooLarge,
  tooMany,
  unsupportedType,
  uploadFailure,
} from './receipt-failure.js';

const file = {
  position: 2,
  count: 3,
  url: undefined,
  mediaType: 'application/pdf',
  announcedBytes: 2_084,
};
const nameless = { ...file, mediaType: undefined, announcedBytes: undefined };

it.each([
  [
    downloadFailure({ kind: 'status', text: 'its host answered 500', status: 500 }),
    'receipt_download_failure',
    'could not be fetched from the platform: its host answered 500. Export the entry again, which gives its files new addresses; if that does not help, attach the file again on the platform.',
  ],
  [
    tooLarge(31_457_280),
    'receipt_file_size_limit_exceeded',
    'is larger than the 30 MB that can be taken. Attach a smaller file on the platform, then export the entry again.',
  ],
  [
    unsupportedType(),
    'receipt_conversion_failure',
    'is of a type that the accounting system does not take. Attach it on the platform as PDF, JPEG or PNG, then export the entry again.',
  ],
  [
    uploadFailure('The archive is locked.'),
    'receipt_upload_failure',
    'was not taken by the accounting system, which says: The archive is locked. Correct there or on the platform what it says, then export the entry again.',
  ],
  [
    tooMany(100),
    'receipt_upload_failure',
    'is one too many: an entry takes 100. Put several receipts into one file on the platform, then export the entry again.',
  ],
])('an entry that fails by its receipt has a reason with an action (%#)', (failure, type, words) => {
  expect(failure.failureType).toBe(type);
  expect(englishText(failedItemMessage([{ file, failure }]))).toBe(
    `Not posted, because receipt 2 of 3 (application/pdf, 2084 bytes) ${words} Or have an administrator choose to post without receipts at Set-up in the connector.`,
  );
});

it('an entry that is posted without a receipt names it, with the reason', () => {
  expect(englishText(missingReceiptWarning({ file: nameless, failure: unsupportedType() }))).toBe(
    'Posted without receipt 2 of 3 (of unknown type, of unknown size): it is of a type that the accounting system does not take. Attach it to the entry in the accounting system by hand.',
  );
});

it('a long message of the ERP leaves room for the advice', () => {
  const failure = uploadFailure('x'.repeat(5_000));
  expect(englishText(failedItemMessage([{ file, failure }])).length).toBeLessThan(1_000);
});
