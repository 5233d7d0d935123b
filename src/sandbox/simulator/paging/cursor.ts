// Cursors of the platform's alphabet, upper-case Base32 and `~` (P0.2). Opaque to callers.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Writes the two parts of a place: its sorting key, and which list it is in. */
export function encodeCursor(sortKey: string, list: string): string {
  return `${toBase32(sortKey)}~${toBase32(list)}`;
}

/** @returns the parts, or undefined when the text is no cursor of ours */
export function decodeCursor(cursor: string): { readonly sortKey: string; readonly list: string } | undefined {
  const [first, second, ...rest] = cursor.split('~');
  const sortKey = first === undefined ? undefined : fromBase32(first);
  const list = second === undefined ? undefined : fromBase32(second);
  return sortKey === undefined || list === undefined || rest.length > 0 ? undefined : { sortKey, list };
}

/** UTF-8 text in unpadded Base32 (RFC 4648 §6). */
function toBase32(text: string): string {
  let buffer = 0;
  let bits = 0;
  let encoded = '';
  for (const byte of Buffer.from(text)) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= BITS) {
      bits -= BITS;
      encoded += ALPHABET.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? encoded : encoded + ALPHABET.charAt((buffer << (BITS - bits)) & 31);
}

function fromBase32(encoded: string): string | undefined {
  let buffer = 0;
  let bits = 0;
  const bytes: number[] = [];
  for (const letter of encoded.replace(/=+$/, '')) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) {
      return undefined;
    }
    buffer = (buffer << BITS) | value;
    bits += BITS;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 255);
      buffer &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes).toString();
}
