// Why one account of a batch is not created (P4, "batch reasons"). Pure.

export const BATCH_REASONS = [
  'EXTERNAL_ID_ALREADY_EXISTS',
  'EXTERNAL_ID_TOO_LONG',
  'EXTERNAL_ID_EMPTY',
  'NAME_TOO_LONG',
  'NAME_EMPTY',
  'CODE_TOO_LONG',
  'OTHER',
] as const;
export type BatchReason = (typeof BATCH_REASONS)[number];

interface BatchTexts {
  readonly externalId: string;
  readonly name: string;
  readonly code?: string | null | undefined;
  readonly taxCodeExternalId?: string | null | undefined;
}

/**
 * The reasons in an item itself; a taken `externalId` shows only when the item is written.
 * @param longest most characters of a text
 * @param isStorable whether the database can keep a text
 */
export function batchReasons(
  item: BatchTexts,
  longest: number,
  isStorable: (text: string) => boolean,
): readonly BatchReason[] {
  const texts = [item.externalId, item.name, item.code ?? '', item.taxCodeExternalId ?? ''];
  const found: readonly (readonly [boolean, BatchReason])[] = [
    [item.externalId.length > longest, 'EXTERNAL_ID_TOO_LONG'],
    [item.externalId === '', 'EXTERNAL_ID_EMPTY'],
    [item.name.length > longest, 'NAME_TOO_LONG'],
    [item.name === '', 'NAME_EMPTY'],
    [(item.code ?? '').length > longest, 'CODE_TOO_LONG'],
    [!texts.every(isStorable), 'OTHER'],
  ];
  return found.filter(([applies]) => applies).map(([, reason]) => reason);
}
