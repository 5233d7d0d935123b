// Fields of requests, for a `shape`: one line a field says its type, what is checked of it and what the OpenAPI document says.
import type { Type } from '@nestjs/common';
import { Transform, Type as ConvertTo } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Field, OptionalField, type FieldNotes } from './shape.js';

/** What the document says of a field besides its type; a text is its description. */
export type Remarks<T> = string | Notes<T>;

interface Notes<T> extends FieldNotes {
  readonly format?: 'date' | 'date-time';
  /** Of a text that has to say something. */
  readonly minLength?: 1;
  readonly maxLength?: number;
  /** What the field is when it is left out; without one, `optional()` says that it may be. */
  readonly default?: T;
}

type Documented<T> = Readonly<Record<string, unknown>> & { readonly default?: T };

type Rules = readonly PropertyDecorator[];

const DIGITS = /^\d{1,15}$/;
const SAYS_SOMETHING = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** A number of a query. Any form but digits ("1e3", "0x10", " 1") stays a text, which the checks refuse. */
const NumberInDigits = (): PropertyDecorator =>
  Transform(({ value }: { readonly value: unknown }) =>
    typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
  );

/** `IsOptional` of class-validator takes null for left out, which no use case expects. */
const isGiven = ValidateIf((_, value) => value !== undefined);
const isGivenAndNotNull = ValidateIf((_, value) => value !== undefined && value !== null);

class Input<T> extends Field<T> {
  constructor(
    documented: object,
    private readonly rules: Rules,
    initial?: () => unknown,
  ) {
    super(documented, initial === undefined ? { rules } : { rules, initial });
  }

  /**
   * It may be left out. Null is refused.
   * @param conditions decides whether the rest is checked; by default whether it is given
   */
  override optional(...conditions: Rules): OptionalField<T> {
    const rules = [...(conditions.length > 0 ? conditions : [isGiven]), ...this.rules];
    return new OptionalField({ ...this.documented, required: false }, { rules });
  }

  /** It may be left out, or null with the same meaning. */
  optionalOrNull(): OptionalField<T | null> {
    const documented = { ...this.documented, nullable: true, required: false };
    return new OptionalField(documented, { rules: [isGivenAndNotNull, ...this.rules] });
  }

  /** Left out, it is what this makes; the document does not tell. */
  orElse(initial: () => T): Input<T> {
    return new Input({ ...this.documented, required: false }, [isGiven, ...this.rules], initial);
  }
}

/**
 * A field that none of the following describes.
 * @param documented as `@ApiProperty()` takes it
 * @param rules as they would stand above a property
 */
function of<T>(documented: Documented<T>, ...rules: Rules): Input<T> {
  return documented.default === undefined
    ? new Input(documented, rules)
    : new Input({ ...documented, required: false }, [isGiven, ...rules], () => documented.default);
}

const noted = <T>(documented: object, remarks: Remarks<T> = {}): Documented<T> => ({
  ...documented,
  ...(typeof remarks === 'string' ? { description: remarks } : remarks),
});

/** A reason, a name or a code of blanks alone is none, as where nothing was entered. */
const IsNotBlank = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNotBlank',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || SAYS_SOMETHING.test(value),
      defaultMessage: () => '$property must have something else than blanks',
    },
  });

/** As long as the document says; where it says a least length, not of blanks alone. */
function text(remarks: Remarks<string> = {}, ...rules: Rules): Input<string> {
  const { minLength, maxLength }: Notes<string> = typeof remarks === 'string' ? {} : remarks;
  const least = minLength === undefined ? [] : [IsNotBlank()];
  const most = maxLength === undefined ? [] : [MaxLength(maxLength)];
  return of(noted({ type: String }, remarks), IsString(), ...rules, ...least, ...most);
}

/** A whole number within the limits that the document says. */
function integer(remarks: Notes<number> = {}, ...rules: Rules): Input<number> {
  const { minimum, maximum } = remarks;
  const least = minimum === undefined ? [] : [Min(minimum)];
  const most = maximum === undefined ? [] : [Max(maximum)];
  return of(noted({ type: Number }, remarks), IsInt(), ...least, ...most, ...rules);
}

export const input = {
  of,
  text,
  matching: (pattern: RegExp, remarks?: Remarks<string>) => of(noted({ type: String }, remarks), Matches(pattern)),
  uuid: (remarks?: Remarks<string>) => of(noted({ type: String, format: 'uuid' }, remarks), IsUUID('loose')),
  flag: (remarks?: Remarks<boolean>) => of(noted({ type: Boolean }, remarks), IsBoolean()),
  integer,
  /** As `integer`, in a query: written in digits. */
  digits: (remarks?: Notes<number>, ...rules: Rules) => integer(remarks, NumberInDigits(), ...rules),
  oneOf: <const T extends string>(values: readonly T[], remarks?: Remarks<NoInfer<T>>) =>
    of<T>(noted({ enum: values }, remarks), IsIn(values)),
  /** An object of a class that is a shape of its own. */
  one: <T>(type: Type<T>, remarks?: Remarks<T>, ...rules: Rules) =>
    of<T>(
      noted({ type }, remarks),
      ...rules,
      // A list would be taken for valid: it is validated element by element.
      IsObject(),
      ValidateNested(),
      ConvertTo(() => type),
    ),
  /** As many of them as `maxItems` says. */
  many: <T>(type: Type<T>, remarks: Notes<readonly T[]> & { readonly maxItems: number }, ...rules: Rules) => {
    const checks = [
      IsArray(),
      ArrayMaxSize(remarks.maxItems),
      ...rules,
      IsObject({ each: true }),
      ValidateNested({ each: true }),
    ];
    return of<readonly T[]>(
      noted({ type: [type] }, remarks),
      ...checks,
      ConvertTo(() => type),
    );
  },
};
