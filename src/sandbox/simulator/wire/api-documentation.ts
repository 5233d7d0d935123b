// The OpenAPI documentation of routes whose requests are checked by zod schemas.
import { applyDecorators } from '@nestjs/common';
import {
  ApiBasicAuth,
  ApiBearerAuth,
  ApiBody,
  ApiQuery,
  ApiResponse,
  ApiTags,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { z } from 'zod';
import { PlatformCredential } from '../access/access-rules.js';
import { BY_ID, type SortColumns } from '../paging/keyset.js';

type ResponseSchema = Extract<ApiResponseOptions, { readonly schema: unknown }>['schema'];
type BodySchema = Extract<Parameters<typeof ApiBody>[0], { readonly schema: unknown }>['schema'];

const SORTING_ORDERS = ['ASC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST'];
const CURSOR_PATTERN = '^[A-Z2-7=~]+$';

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request breaks a rule that the message names.',
  401: 'No valid access token or API key.',
  403: 'The credential lacks the scope, or is not for this company.',
  404: 'The credential sees no resource with this id.',
  409: 'A resource with this key exists, or is in use.',
  413: 'More elements than one request may carry.',
  422: 'The state of the export job does not allow this.',
  429: 'No requests left in this minute; Retry-After says how many seconds to wait.',
};
const EXCEPTION_INFO = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' }, message: { type: 'string' } },
};

/**
 * Admits and documents what all routes of a controller of the Integration API share. Access tokens and API keys come as Bearer, API keys
 * also as the user of Basic (P0.3).
 */
export function PlatformApi(tag: string): ClassDecorator {
  return applyDecorators(
    PlatformCredential(),
    ApiTags(tag),
    ApiBearerAuth(),
    ApiBasicAuth(),
    ErrorResponses(400, 401, 403, 429),
  );
}

/** Documents error responses in the platform's form (P0.4). */
export function ErrorResponses(...statuses: readonly number[]): ClassDecorator & MethodDecorator {
  const responses = statuses.map((status) =>
    ApiResponse({
      status,
      description: REFUSALS[status] ?? '',
      content: { 'application/json': { schema: EXCEPTION_INFO } },
    }),
  );
  return applyDecorators(...responses);
}

/** Documents a successful response by the schema of its JSON. */
export function JsonResponse(schema: z.ZodType, status = 200): MethodDecorator {
  const content = { 'application/json': { schema: described(schema, 'output') as ResponseSchema } };
  return ApiResponse({ status, description: 'Done.', content });
}

/** Documents a successful response without a body. */
export function EmptyResponse(status: 202 | 204): MethodDecorator {
  return ApiResponse({ status, description: 'Done.' });
}

/** Documents a JSON body by the schema it is checked with. */
export function JsonBody(schema: z.ZodType, required = true): MethodDecorator {
  return ApiBody({ required, schema: described(schema, 'input') as BodySchema });
}

/** In OpenAPI 3.0 a nullable field needs a type, and null in its enumeration. */
function described(schema: z.ZodType, io: 'input' | 'output'): object {
  return z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.nullable === true) {
        jsonSchema.type ??= 'object';
        if (jsonSchema.enum !== undefined) {
          jsonSchema.enum = [...new Set([...jsonSchema.enum, null])];
        }
      }
    },
  });
}

/** Documents the paging parameters of a list (P0.2). */
export function PagingParameters(columns: SortColumns = BY_ID): MethodDecorator {
  const cursor = { type: 'string', pattern: CURSOR_PATTERN } as const;
  const optional = (name: string, schema: object, description: string) =>
    ApiQuery({ name, required: false, schema, description });
  return applyDecorators(
    optional('before', cursor, 'Elements before this cursor; not together with after or offset.'),
    optional('after', cursor, 'Elements after this cursor; not together with before or offset.'),
    optional('offset', { type: 'integer', format: 'int64', minimum: 0 }, 'Not together with before or after.'),
    optional('limit', { type: 'integer', format: 'int32', minimum: 0 }, 'Most elements of the page.'),
    optional(
      'sorting_keys',
      { type: 'array', items: { type: 'string', enum: Object.keys(columns) } },
      'May be repeated.',
    ),
    optional(
      'sorting_order',
      { type: 'array', items: { type: 'string', enum: SORTING_ORDERS } },
      'One order per sorting key.',
    ),
  );
}

/** Documents a query parameter that may be left out. */
export function OptionalQuery(name: string, schema: object = { type: 'string' }): MethodDecorator {
  return ApiQuery({ name, required: false, schema });
}

/** Documents the query parameter that names a company. */
export function CompanyQuery(required = false): MethodDecorator {
  return ApiQuery({ name: 'company_id', required, schema: { type: 'string', format: 'uuid' } });
}
