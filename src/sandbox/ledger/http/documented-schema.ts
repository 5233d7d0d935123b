import type { ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { Bug } from '../../../kernel/faults.js';

type SchemaObject = Extract<ApiBodyOptions, { readonly schema: unknown }>['schema'];

/**
 * What the OpenAPI page shows of a body that zod checks.
 * @throws Bug when zod makes no object of it
 */
export function documentedSchema(schema: z.ZodType): SchemaObject {
  const made: unknown = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
  });
  if (!isSchema(made)) {
    throw new Bug('zod described a schema by something that is no object');
  }
  return made;
}

function isSchema(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null;
}
