// Every report as JSON or as a CSV file.
import {
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { cursorSuffix } from '../../../foundation/http/bound-cursors.interceptor.js';
import { input } from '../../../foundation/http/input.js';
import { Problem } from '../../../foundation/http/problem.js';
import { FORMATS, negotiateFormat, type ResponseFormat } from './response-format.js';
import type { Sheet } from './sheet.js';

/** The query parameter of a route with `TabularResponse`, which also checks it. */
export const format = () =>
  input.of<ResponseFormat>({ enum: FORMATS, description: 'wins over the Accept header' }).optional(Allow());

/**
 * Documents a route's response and sends it as JSON, or as CSV on `?format=csv` or `Accept: text/csv`. A page as CSV names
 * the next one in its `Link` header.
 * @param type the response as JSON
 */
export function TabularResponse<Body>(type: Type<Body>, sheet: Sheet<Body>, description: string): MethodDecorator {
  return applyDecorators(
    UseInterceptors(new CsvInterceptor(sheet)),
    ApiExtraModels(type),
    ApiOkResponse({
      description,
      content: {
        'application/json': { schema: { $ref: getSchemaPath(type) } },
        'text/csv': {
          schema: {
            type: 'string',
            description:
              'RFC 4180 with a header line. Each amount in minor units and in main units. A text that a spreadsheet would read as a formula is preceded by an apostrophe.',
          },
        },
      },
    }),
  );
}

type TabularRequest = FastifyRequest<{ Querystring: Record<string, unknown> }>;

class CsvInterceptor<Body> implements NestInterceptor<Body, Body | string> {
  constructor(private readonly sheet: Sheet<Body>) {}

  intercept(context: ExecutionContext, next: CallHandler<Body>): Observable<Body | string> {
    const http = context.switchToHttp();
    const request = http.getRequest<TabularRequest>();
    const reply = http.getResponse<FastifyReply>();
    void reply.header('vary', 'Accept');
    const wanted = negotiateFormat(request.query['format'], request.headers.accept);
    if (wanted === undefined) {
      throw new Problem({
        status: 400,
        type: 'invalid-request',
        detail: 'The format is json or csv.',
        errors: [{ pointer: '/format', detail: `format must be one of ${FORMATS.join(', ')}` }],
      });
    }
    if (wanted === 'json') {
      return next.handle();
    }
    return next.handle().pipe(
      map((body) => {
        void reply.headers({
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': `attachment; filename="${this.sheet.fileName(body)}.csv"`,
          ...nextPage(request, body),
        });
        return this.sheet.write(body);
      }),
    );
  }
}

/** RFC 8288. What it names is bound here: cursors are bound in objects only, and the page is text by then. */
function nextPage({ url, query: filter, openedCompanyId }: TabularRequest, body: unknown): { readonly link?: string } {
  const cursor: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'nextCursor') : null;
  if (typeof cursor !== 'string') {
    return {};
  }
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('after', cursor + cursorSuffix(openedCompanyId, path, filter));
  return { link: `<${path}?${parameters.toString()}>; rel="next"` };
}
