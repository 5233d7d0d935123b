// Shapes of responses and requests: one line a field says its type, in the code and in the OpenAPI document; `input` has those of requests,
// which are checked, too.
import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** What the document says of a field besides its type; a text is its description. */
type Remarks = string | FieldNotes;

export interface FieldNotes {
  readonly description?: string;
  readonly example?: unknown;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What is done with a field of a request. */
interface Checks {
  /** Decorators of class-validator and class-transformer, in the order in which they would stand above a property. */
  readonly rules?: readonly PropertyDecorator[];
  /** What the field is while it is left out. */
  readonly initial?: () => unknown;
}

export class Field<T> {
  /** Never set: carries the type. */
  declare readonly holds: T;

  constructor(
    readonly documented: object,
    readonly checks: Checks = {},
  ) {}

  nullable(): Field<T | null> {
    return new Field({ ...this.documented, nullable: true });
  }

  /** It may be left out. */
  optional(): OptionalField<T> {
    return new OptionalField({ ...this.documented, required: false });
  }
}

export class OptionalField<T> extends Field<T> {
  readonly isOptional = true;
}

const of = <T>(documented: object, remarks: Remarks = {}): Field<T> =>
  new Field({ ...documented, ...(typeof remarks === 'string' ? { description: remarks } : remarks) });

export const field = {
  /** A field that none of the following describes. */
  of,
  text: (remarks?: Remarks) => of<string>({ type: String }, remarks),
  texts: (remarks?: Remarks) => of<readonly string[]>({ type: [String] }, remarks),
  uuid: (remarks?: Remarks) => of<string>({ type: String, format: 'uuid' }, remarks),
  uri: (remarks?: Remarks) => of<string>({ type: String, format: 'uri' }, remarks),
  /** A calendar day, `YYYY-MM-DD`. */
  day: (remarks?: Remarks) => of<string>({ type: String, format: 'date' }, remarks),
  instant: (remarks?: Remarks) => of<Date>({ type: String, format: 'date-time' }, remarks),
  /** An instant that its source gives as a text. */
  instantText: (remarks?: Remarks) => of<string>({ type: String, format: 'date-time' }, remarks),
  number: (remarks?: Remarks) => of<number>({ type: Number }, remarks),
  flag: (remarks?: Remarks) => of<boolean>({ type: Boolean }, remarks),
  /** An object whose members are not documented. */
  object: <T>(remarks?: Remarks) => of<T>({ type: Object }, remarks),
  /** An object with any members. */
  json: <T>(remarks?: Remarks) => of<T>({ type: 'object', additionalProperties: true }, remarks),
  /** One of these texts: the compiler refuses a response that may have another, so `T` is never given. */
  oneOf: <const T extends string>(values: readonly T[], remarks?: Remarks) => of<T>({ enum: values }, remarks),
  someOf: <const T extends string>(values: readonly T[], remarks?: Remarks) =>
    of<readonly T[]>({ type: String, enum: values, isArray: true }, remarks),
  one: <T>(type: Type<T>, remarks?: Remarks) => of<T>({ type }, remarks),
  many: <T>(type: Type<T>, remarks?: Remarks) => of<readonly T[]>({ type: [type] }, remarks),
};

type FieldsByName = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;

type Shape<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends OptionalField<unknown> ? never : Name]: ValueOf<Fields[Name]>;
} & {
  readonly [Name in keyof Fields as Fields[Name] extends OptionalField<unknown> ? Name : never]?: ValueOf<Fields[Name]>;
};

/** The class that a response's or a request's class extends. */
export const shape = <Fields extends FieldsByName>(fields: Fields): Type<Shape<Fields>> =>
  shapeWith<Fields, object>(Object, fields);

/** As `shape`, with the fields of the base before these. */
export function shapeWith<Fields extends FieldsByName, Base>(
  base: Type<Base>,
  fields: Fields,
): Type<Base & Shape<Fields>> {
  class Documented extends (base as Type<object>) {
    constructor() {
      super();
      for (const [name, { checks }] of Object.entries(fields)) {
        if (checks.initial !== undefined) {
          Reflect.set(this, name, checks.initial());
        }
      }
    }
  }
  for (const [name, { documented, checks }] of Object.entries(fields)) {
    for (const decorate of [ApiProperty(documented), ...(checks.rules ?? [])].reverse()) {
      decorate(Documented.prototype, name);
    }
  }
  return Documented as Type<Base & Shape<Fields>>;
}
