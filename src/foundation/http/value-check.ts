import { message } from '../../kernel/message.js';
import { cutText } from '../../kernel/text.js';
import type { InvalidValue } from './problem.js';

/** Characters by which a name is recognized: an unknown one can be as long as its request. */
const MAX_NAME_LENGTH = 60;

/** A name in a request, as a problem repeats it: the beginning of one that is longer than any of ours. */
export function shownName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${cutText(name, MAX_NAME_LENGTH)}…` : name;
}

/** A name in a request as part of a JSON pointer (RFC 6901); as much of it as `shownName` shows. */
export function pointerPart(name: string): string {
  return shownName(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * One value that a check has refused. The limit or the allowed values in the check's English text become parameters,
 * so that other languages can show them, too.
 * @param check name of the check, as class-validator has it
 * @param detail in English
 * @param limits the part of the detail with the limit or the values
 */
export function valueCheck(pointer: string, check: string, detail: string, limits: string = detail): InvalidValue {
  const [limit = ''] = /-?\d+/.exec(limits) ?? [];
  const [, values = ''] = /following values: (.*)$/s.exec(limits) ?? [];
  return { pointer, detail, message: message(`check.value.${check}`, { limit, values }) };
}
