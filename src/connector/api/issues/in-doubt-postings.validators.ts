import { ValidateBy, type ValidationArguments } from 'class-validator';

const MAX_ID_LENGTH = 255;

/** The entry's id in the ERP: required with the outcome "in-the-books", and not allowed otherwise. */
export function IsExternalIdIfPosted(): PropertyDecorator {
  return ValidateBy({
    name: 'isExternalIdIfPosted',
    validator: {
      validate: (value: unknown, given?: ValidationArguments) =>
        isPostedOutcome(given) ? isId(value) : value === undefined,
      defaultMessage: () =>
        'needs the id of the entry in the ERP with the outcome "in-the-books", and must be left out otherwise',
    },
  });
}

/** The same for an optional value. */
export function IsAllowedOnlyIfPosted(): PropertyDecorator {
  return ValidateBy({
    name: 'isAllowedOnlyIfPosted',
    validator: {
      validate: (value: unknown, given?: ValidationArguments) => value === undefined || isPostedOutcome(given),
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
