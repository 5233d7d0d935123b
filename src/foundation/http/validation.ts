import { ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import { message } from '../../kernel/message.js';
import { Problem, type InvalidValue } from './problem.js';
import { misfitsOf } from './request-shape.js';
import { pointerPart, shownName, valueCheck } from './value-check.js';

/** In one response: more do not help, and cost more than the request did. */
const MAX_ERRORS = 100;

/** Strict at our own doors: an unknown property, a wrong type or a missing value is a 400 that names it. */
export function requestValidation(): ValidationPipe {
  return new RequestValidation({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: false,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => invalidRequest(errors.flatMap((error) => invalidValues(error, ''))),
  });
}

class RequestValidation extends ValidationPipe {
  /**
   * What does not fit its class at all is refused before anything is transformed or validated, which is what it would cost us:
   * a list that is too long for its length alone, and more unknown names than a response has errors. An unknown name that transforming
   * has passed over, since every object has it (`constructor`), is refused afterwards.
   */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (metadata.type === 'body' && isNoObject(value) && this.toValidate(metadata)) {
      throw invalidRequest([valueCheck('', 'isObject', 'the body must be an object')]);
    }
    if (typeof value === 'object' && value !== null && metatype !== undefined && this.toValidate(metadata)) {
      const { tooLong, unknown } = misfitsOf(value, metatype as ClassConstructor<object>, MAX_ERRORS);
      if (tooLong.length > 0 || unknown.length === MAX_ERRORS) {
        throw invalidRequest(tooLong.length > 0 ? tooLong : unknown);
      }
      const transformed: unknown = await super.transform(value, metadata);
      if (unknown.length > 0) {
        throw invalidRequest(unknown);
      }
      return transformed;
    }
    return super.transform(value, metadata);
  }
}

/** A body that was left out is validated, so that its response names what is missing. */
function isNoObject(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body));
}

/** For a check that no class of a request can make. @returns the problem that names each value, 400 */
export function invalidRequest(errors: readonly InvalidValue[]): Problem {
  return new Problem({
    status: 400,
    type: 'invalid-request',
    detail: 'Some values of the request are not valid; "errors" names each of them.',
    message: message('problem.invalid-request.detail'),
    errors: errors.slice(0, MAX_ERRORS),
  });
}

function invalidValues(error: ValidationError, parent: string): InvalidValue[] {
  const pointer = `${parent}/${pointerPart(error.property)}`;
  const own = Object.entries(error.constraints ?? {}).map(([name, text]) => {
    const detail = text.replaceAll(error.property, () => shownName(error.property));
    return valueCheck(pointer, name, detail, withoutName(detail, error.property));
  });
  return [...own, ...(error.children ?? []).flatMap((child) => invalidValues(child, pointer))];
}

/** The name of a value may have digits of its own. */
function withoutName(text: string, name: string): string {
  return text.startsWith(name) ? text.slice(name.length) : text;
}
