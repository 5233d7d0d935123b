import { ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { Problem, type InvalidValue } from './problem.js';

/** In one answer: more help nobody, and cost more than the request did. */
const MAX_ERRORS = 100;
/** The name that `@ArrayMaxSize()` gives its constraint. */
const ARRAY_MAX_SIZE = 'arrayMaxSize';

/** Strict at our own doors: an unknown property, a wrong type or a missing value is a 400 that names it. */
export function requestValidation(): ValidationPipe {
  return new RequestValidation({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: false,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => invalid(errors.flatMap((error) => invalidValues(error, ''))),
  });
}

class RequestValidation extends ValidationPipe {
  /** A list that is too long is refused for its length alone: validating its elements is what it would cost us. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const tooLong = oversizedLists(value, metadata);
    if (tooLong.length > 0) {
      throw invalid(tooLong);
    }
    return super.transform(value, metadata);
  }
}

function oversizedLists(value: unknown, { metatype }: ArgumentMetadata): readonly InvalidValue[] {
  if (typeof value !== 'object' || value === null || metatype === undefined) {
    return [];
  }
  return getMetadataStorage()
    .getTargetValidationMetadatas(metatype, '', false, false)
    .filter(({ name }) => name === ARRAY_MAX_SIZE)
    .flatMap(({ propertyName, constraints }) => {
      const list: unknown = Reflect.get(value, propertyName);
      const most = Number((constraints as readonly unknown[] | undefined)?.[0]);
      return Array.isArray(list) && list.length > most
        ? [
            {
              pointer: `/${propertyName}`,
              detail: `${propertyName} must contain no more than ${most.toString()} elements`,
            },
          ]
        : [];
    });
}

function invalid(errors: readonly InvalidValue[]): Problem {
  return new Problem({
    status: 400,
    type: 'invalid-request',
    detail: 'Some values of the request are not valid; "errors" names each of them.',
    errors: errors.slice(0, MAX_ERRORS),
  });
}

function invalidValues(error: ValidationError, parent: string): InvalidValue[] {
  const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = Object.values(error.constraints ?? {}).map((detail) => ({ pointer, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => invalidValues(child, pointer))];
}
