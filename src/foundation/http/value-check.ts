import { message } from '../../kernel/message.js';
import type { InvalidValue } from './problem.js';

/**
 * One value that a check has refused. What the check's own English text says of a limit or of the values there are becomes a parameter,
 * so that other languages can say it, too.
 * @param check name of the check, as class-validator has it
 * @param detail in English
 * @param told what of the detail names limit or values
 */
export function valueCheck(pointer: string, check: string, detail: string, told: string = detail): InvalidValue {
  const [limit = ''] = /-?\d+/.exec(told) ?? [];
  const [, values = ''] = /following values: (.*)$/s.exec(told) ?? [];
  return { pointer, detail, message: message(`check.value.${check}`, { limit, values }) };
}
