import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { Problem, type InvalidValue } from './problem.js';

/** Strict at our own doors: an unknown property, a wrong type or a missing value is a 400 that names it. */
export function requestValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: false,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) =>
      new Problem({
        status: 400,
        type: 'invalid-request',
        detail: 'Some values of the request are not valid; "errors" names each of them.',
        errors: errors.flatMap((error) => invalidValues(error, '')),
      }),
  });
}

function invalidValues(error: ValidationError, parent: string): InvalidValue[] {
  const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = Object.values(error.constraints ?? {}).map((detail) => ({ pointer, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => invalidValues(child, pointer))];
}
