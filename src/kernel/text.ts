/**
 * The text without what databases and other programs refuse: U+0000 and halves of surrogate pairs become U+FFFD, so that one
 * such character never stops more than it should.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The beginning of a text, no character of which is cut in half.
 * @param limit UTF-16 code units
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return text.slice(0, isHalved ? limit - 1 : limit);
}

/** Without case, accents and repeated blanks, as people type what they look for: "Bürobedarf  A/S" is "burobedarf a/s". */
export function foldedText(text: string): string {
  // Most texts have nothing to fold but case and blanks.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  // Upper and then lower case folds what lower case alone keeps apart (ß and ss).
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
  return plain.replace(/ø/g, 'o').replace(/æ/g, 'ae').replace(/ł/g, 'l').replace(/\s+/g, ' ').trim();
}
