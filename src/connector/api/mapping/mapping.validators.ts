import { ValidateBy } from 'class-validator';

/** A text that can be stored and shown: no control characters, no halves of a character. */
export function IsPlainText(): PropertyDecorator {
  const unreadable = /[\p{Cc}\p{Cs}]/u;
  return ValidateBy({
    name: 'isPlainText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !unreadable.test(value),
      defaultMessage: () => '$property must be a text without control characters',
    },
  });
}

/** As `IsPlainText`, for what people write in a field of several lines. */
export function IsPlainLines(): PropertyDecorator {
  const unreadable = /[^\P{Cc}\n]|\p{Cs}/u;
  return ValidateBy({
    name: 'isPlainLines',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !unreadable.test(value),
      defaultMessage: () => '$property must be a text without control characters other than line breaks',
    },
  });
}
