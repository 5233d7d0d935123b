import { message } from '../../kernel/message.js';
import type { InvalidValue } from './problem.js';

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
