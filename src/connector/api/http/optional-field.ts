import { ValidateIf } from 'class-validator';

/** A property that may be left out. Unlike `@IsOptional()` it does not let `null` pass, which no use case expects. */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
