// What the decorators of the routes leave to be said of all of them: who may call, and the response to a mistake.
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_EXTENSION, type AccessRequirement } from '../../../foundation/http/access.js';
import { parameterWords } from './parameter-words.js';
import { ProblemResponse } from './problem-types.dto.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Securities = NonNullable<Operation['security']>;

const METHODS = ['get', 'post', 'put', 'delete'] as const;
/** Pages respond with pages. */
const OF_PROGRAMS = /^\/(api|problems|webhooks)(\/|$)/;

/**
 * @param document as made from the decorators; changed in place
 * @param sessionCookie name of the cookie of a member's session
 */
export function completeApiDocument(document: OpenAPIObject, sessionCookie: string): OpenAPIObject {
  makeIntegers([document.paths, document.components]);
  document.components = { ...document.components, securitySchemes: securitySchemes(sessionCookie) };
  for (const [path, routes] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = routes[method];
      if (operation !== undefined) {
        complete(operation, path, method);
        completeRequest(operation, path, document);
      }
    }
  }
  return document;
}

/** Every number of this API counts something: amounts and rates are texts. */
function makeIntegers(node: unknown): void {
  if (typeof node === 'object' && node !== null) {
    if (Reflect.get(node, 'type') === 'number') {
      Reflect.set(node, 'type', 'integer');
    }
    Object.values(node).forEach(makeIntegers);
  }
}

function complete(operation: Operation, path: string, method: (typeof METHODS)[number]): void {
  const access = Reflect.get(operation, ACCESS_EXTENSION) as AccessRequirement;
  operation.operationId = operation.operationId?.replace('Controller_', '_') ?? '';
  operation.security = securityOf(access, method);
  if (access !== 'public') {
    operation.description = `${operation.description ?? ''} For ${CALLERS[access]}.`.trim();
  }
  if (!OF_PROGRAMS.test(path)) {
    return;
  }
  const refusals = access === 'public' ? {} : REFUSALS;
  const described = { ...refusals, ...operation.responses, default: { description: 'another problem' } };
  operation.responses = Object.fromEntries(
    Object.entries(described).map(([status, response]) => [
      status,
      /^[123]/.test(status) ? response : { ...response, content: PROBLEM_CONTENT },
    ]),
  );
}

/** A body is needed where one of its fields is; a parameter says what it is. */
function completeRequest(
  { parameters = [], requestBody }: Operation,
  path: string,
  { components }: OpenAPIObject,
): void {
  for (const parameter of parameters) {
    const words = 'name' in parameter ? parameterWords(path, parameter) : undefined;
    if ('name' in parameter && words !== undefined) {
      parameter.description ??= words;
    }
  }
  if (requestBody === undefined || !('content' in requestBody)) {
    return;
  }
  const { schema } = requestBody.content['application/json'] ?? {};
  const name = schema && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
  const named = components?.schemas?.[name ?? ''];
  if (named !== undefined && !('$ref' in named)) {
    requestBody.required = (named.required ?? []).length > 0;
  }
}

const CALLERS: Readonly<Record<Exclude<AccessRequirement, 'public'>, string>> = {
  viewer: 'every role',
  bookkeeper: 'bookkeepers and admins',
  admin: 'admins',
  operator: 'the operator of the service',
};

const REFUSALS = {
  401: { description: 'no valid token or session' },
  403: { description: 'the role does not suffice, or the CSRF token is missing' },
  429: { description: 'too many requests: `Retry-After` says when to retry' },
};

const PROBLEM_CONTENT = { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } };

function securityOf(access: AccessRequirement, method: (typeof METHODS)[number]): Securities {
  switch (access) {
    case 'public':
      return [];
    case 'operator':
      return [{ operatorToken: [] }];
    case 'viewer':
    case 'bookkeeper':
    case 'admin':
      return [{ apiToken: [] }, method === 'get' ? { session: [] } : { session: [], csrfToken: [] }];
  }
}

function securitySchemes(sessionCookie: string) {
  return {
    apiToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description: 'API token of one installation: opaque, begins with `cat_`, has one role and an expiry.',
    },
    operatorToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description: 'Token of a person who operates the service: opaque; reads no bookkeeping of an installation.',
    },
    session: {
      type: 'apiKey' as const,
      in: 'cookie',
      name: sessionCookie,
      description: 'A member who has signed in through the platform at /app/sign-in.',
    },
    csrfToken: {
      type: 'apiKey' as const,
      in: 'header',
      name: 'X-CSRF-Token',
      description: '`csrfToken` of GET /api/v1/me: needed with a session wherever something is changed.',
    },
  };
}
