// What class-validator's `@IsOptional()` takes for one thing: left out, and null.
import { ValidateIf } from 'class-validator';

/** A property that may be left out. Null is refused: no use case expects it where a value may be absent. */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A property that may be left out, or null with the same meaning; documented as `nullable`. */
export function NullableField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined && value !== null);
}
