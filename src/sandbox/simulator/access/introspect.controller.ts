import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import { dataOf } from '../wire/response-schemas.js';
import { JsonResponse, PlatformApi } from '../wire/api-documentation.js';
import { CurrentCaller, type Caller } from './caller.js';

const introspectionResponseSchema = dataOf(
  z.object({
    authMethod: z.enum(['OAUTH2', 'API_KEY', 'NONE']),
    clientId: z.string(),
    scope: z.string(),
    applicationName: z.string(),
    subjectURN: z.string(),
  }),
);

/** Describes the credential of the request (P3.1, "Introspect the current API credential"). */
@PlatformApi('access')
@Controller('v1/introspect')
export class IntrospectController {
  @Get()
  @JsonResponse(introspectionResponseSchema)
  introspect(@CurrentCaller() caller: Caller): object {
    return {
      data: {
        authMethod: caller.authMethod,
        clientId: caller.clientId,
        scope: caller.scopes.join(' '),
        applicationName: caller.applicationName,
        subjectURN: caller.resource,
      },
    };
  }
}
