import { ValidateBy, type ValidationArguments } from 'class-validator';

const MAX_ID_LENGTH = 255;

/** The id of what a person has found: with that outcome, and with no other. */
export function IsExternalIdIfPosted(): PropertyDecorator {
  return ValidateBy({
    name: 'isIdOfWhatWasFound',
    validator: {
      validate: (value: unknown, given?: ValidationArguments) =>
        isPostedOutcome(given) ? isId(value) : value === undefined,
      defaultMessage: () =>
        'needs the id of the entry in the ERP with the outcome "in-the-books", and must be left out otherwise',
    },
  });
}

/** As above, of what need not be given. */
export function IsAllowedOnlyIfPosted(): PropertyDecorator {
  return ValidateBy({
    name: 'isOnlyWithWhatWasFound',
    validator: {
      validate: (value: unknown, given?: ValidationArguments) =>
        value === undefined || isPostedOutcome(given),
      defaultMessage: () => 'must be left out unless the outcome is "in-the-books"',
    },
  });
}

function isPostedOutcome(given: ValidationArguments | undefined): boolean {
  return given !== undefined && Reflect.get(given.object, 'outcome') === 'in-the-books';
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ID_LENGTH;
}
