// Shapes of responses: one line a field says its type, in the code and in the OpenAPI document.
import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

interface Field<T> {
  readonly documented: ApiPropertyOptions;
  /** Never set: carries the type. */
  readonly holds?: T;
}

type Shape<Fields> = { readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never };

interface Remarks {
  readonly description?: string;
  readonly example?: string | number;
  readonly maxItems?: number;
}

const field = <T>(documented: object, remarks: Remarks = {}): Field<T> => ({
  documented: { ...documented, ...remarks },
});

export const text = (remarks?: Remarks) => field<string>({ type: String }, remarks);
export const texts = (remarks?: Remarks) => field<readonly string[]>({ type: [String] }, remarks);
export const uuid = (remarks?: Remarks) => field<string>({ type: String, format: 'uuid' }, remarks);
/** A calendar day, `YYYY-MM-DD`. */
export const day = (remarks?: Remarks) => field<string>({ type: String, format: 'date' }, remarks);
export const instant = (remarks?: Remarks) => field<string>({ type: String, format: 'date-time' }, remarks);
export const number = (remarks?: Remarks) => field<number>({ type: Number }, remarks);
export const flag = (remarks?: Remarks) => field<boolean>({ type: Boolean }, remarks);
/** An object whose members are not documented. */
export const object = <T>(remarks?: Remarks) => field<T>({ type: Object }, remarks);
export const oneOf = <const T extends string>(values: readonly T[], remarks?: Remarks) =>
  field<T>({ enum: values }, remarks);
export const one = <T>(type: Type<T>, remarks?: Remarks) => field<T>({ type }, remarks);
export const many = <T>(type: Type<T>, remarks?: Remarks) => field<readonly T[]>({ type: [type] }, remarks);

export const nullable = <T>({ documented }: Field<T>) => field<T | null>({ ...documented, nullable: true });

/** The class that a response's class extends, with these fields behind those of the base. */
export function shape<Fields extends Readonly<Record<string, Field<unknown>>>, Base = object>(
  fields: Fields,
  base: Type<Base> = Object as unknown as Type<Base>,
): Type<Base & Shape<Fields>> {
  class Documented extends (base as Type<object>) {}
  for (const [name, { documented }] of Object.entries(fields)) {
    ApiProperty(documented)(Documented.prototype, name);
  }
  return Documented as Type<Base & Shape<Fields>>;
}
