// What `nullable` is in a document of OpenAPI 3.0, whose decorators write it in two ways that a strict reader refuses.
import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  readonly $ref?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
}

const SCHEMAS = '#/components/schemas/';

/**
 * Lets null pass where a field may be null: an `enum` lists it (OpenAPI 3.0.3, "Proposal: Clarify Semantics of nullable"), and a
 * field that refers to a schema refers to one of its own, `<name>OrNull`, since `nullable` beside `allOf` changes nothing.
 * @returns a new document
 */
export function withNullableSchemas(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {} } = document.components ?? {};
  const orNull = new Map<string, object>();
  const copied = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(copied);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    return Object.fromEntries(Object.entries(acceptingNull(value)).map(([name, each]) => [name, copied(each)]));
  };
  const acceptingNull = (schema: Schema): Schema => {
    if (schema.nullable !== true) {
      return schema;
    }
    const [part, ...others] = schema.allOf ?? [];
    const name = others.length === 0 ? part?.$ref?.replace(SCHEMAS, '') : undefined;
    if (name !== undefined) {
      orNull.set(`${name}OrNull`, { ...schemas[name], nullable: true });
      return { ...schema, allOf: [{ $ref: `${SCHEMAS}${name}OrNull` }] };
    }
    return schema.enum === undefined || schema.enum.includes(null)
      ? schema
      : { ...schema, enum: [...schema.enum, null] };
  };
  const rest = copied(document) as OpenAPIObject;
  const added = copied(Object.fromEntries(orNull)) as typeof schemas;
  return { ...rest, components: { ...rest.components, schemas: { ...rest.components?.schemas, ...added } } };
}
