// Every field that a request may have, as an OpenAPI 3.0 document says, each with a body that has this field alone.

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly maxItems?: number;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Partial<Record<string, { readonly schema: Schema }>>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface RequestField {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  /** Of the field in the body (RFC 6901). */
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly isList: boolean;
  /** As documented; undefined: any, or one of several. */
  readonly type: string | undefined;
  /** Of a list, as documented. */
  readonly maxItems: number | undefined;
  /** @returns a body in which the field has this value, and nothing else is but what is around it */
  bodyWith(value: unknown): unknown;
}

/** @param document as the program serves it */
export function requestFields(document: unknown): readonly RequestField[] {
  const { paths, components } = document as Document;
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    const parts = [...(name === undefined ? [] : [components.schemas[name] ?? {}]), ...(schema.allOf ?? [])];
    return parts.reduce<Schema>((merged, part) => ({ ...resolve(part), ...merged }), schema);
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const { 'application/json': body, 'text/csv': file } = requestBody?.content ?? {};
      const schema = body?.schema;
      // A file of rows has bounds of its own, and its mistakes are named by line and column.
      return schema === undefined || file !== undefined
        ? []
        : fieldsIn(resolve(schema), resolve, '', (value) => value).map((field) => ({
            ...field,
            method: method.toUpperCase() as RequestField['method'],
            path,
          }));
    }),
  );
}

type Around = (value: unknown) => unknown;

function fieldsIn(
  { properties = {}, required = [], items }: Schema,
  resolve: (schema: Schema) => Schema,
  pointer: string,
  around: Around,
): readonly Omit<RequestField, 'method' | 'path'>[] {
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const schema = resolve(property);
    const at = `${pointer}/${name}`;
    const bodyWith: Around = (value) => around({ [name]: value });
    const isRequired = required.includes(name);
    const { type, maxItems } = schema;
    const kind = { isNullable: schema.nullable === true, isList: type === 'array', type, maxItems };
    return [{ pointer: at, isRequired, ...kind, bodyWith }, ...fieldsIn(schema, resolve, at, bodyWith)];
  });
  return items === undefined
    ? own
    : [...own, ...fieldsIn(resolve(items), resolve, `${pointer}/0`, (value) => around([value]))];
}
