// What a JSON text may hold. It is looked at before anything is parsed, since parsing costs by the value and every walk over the
// result again: 256 kB can be 85,000 objects.

export interface JsonBudget {
  /** Lists and objects within one another. */
  readonly maxDepth: number;
  /** Lists, objects, texts, numbers, truth values and nulls, the names of an object apart. */
  readonly maxValues: number;
  /** Of one object: what validates it compares each with each. */
  readonly maxNames: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANK = 0x20;

/** Whether a JSON text holds more than its budget. Of a text that is no JSON only the part before its first mistake counts. */
export function exceedsJsonBudget(text: string, { maxDepth, maxValues, maxNames }: JsonBudget): boolean {
  let depth = 0;
  let values = 0;
  /** Of the objects that are open, by their depth. */
  const names: number[] = [0];
  /** Within a number, a truth value or null. */
  let isInWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const wasInWord = isInWord;
    isInWord = false;
    if (code === QUOTE) {
      values += 1;
      at = endOfText(text, at);
    } else if (code === COLON) {
      // What stood before it was a name.
      values -= 1;
      names[depth] = (names[depth] ?? 0) + 1;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      names[depth] = 0;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth -= 1;
    } else if (code > BLANK && code !== COMMA) {
      isInWord = true;
      values += wasInWord ? 0 : 1;
    }
    if (depth > maxDepth || values > maxValues || (names[depth] ?? 0) > maxNames) {
      return true;
    }
  }
  return false;
}

/** @returns place of the closing quote; the end where there is none */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      return at;
    }
    if (code === BACKSLASH) {
      at += 1;
    }
  }
  return text.length;
}
