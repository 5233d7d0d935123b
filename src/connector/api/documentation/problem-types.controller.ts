import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { notFound } from '../http/problems.js';
import { ProblemResponse, ProblemTypeResponse, ProblemTypesResponse } from './problem-types.dto.js';
import { problemTypesPage } from './problem-types.page.js';
import { PROBLEM_TYPES, type ProblemTypeView } from './problem-types.js';

const PAGE = { 'text/html': { schema: { type: 'string' } } };
const VARY = 'accept';
const CACHE = 'public, max-age=300';

/** What `type` of a problem means, for programs and for people. */
@ApiTags('Problems')
@ApiExtraModels(ProblemResponse, ProblemTypeResponse, ProblemTypesResponse)
@Controller('problems')
export class ProblemTypesController {
  @Get()
  @ApiOperation({
    summary: 'List the types of problems',
    description: 'Every `type` that a response with application/problem+json may have; a page for browsers.',
  })
  @Access('public')
  @Header('vary', VARY)
  @Header('cache-control', CACHE)
  @ApiOkResponse({
    content: { 'application/json': { schema: { $ref: getSchemaPath(ProblemTypesResponse) } }, ...PAGE },
  })
  list(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): ProblemTypesResponse | string {
    return isForBrowser(accept) ? page(reply, PROBLEM_TYPES) : { data: PROBLEM_TYPES };
  }

  @Get(':name')
  @ApiOperation({
    summary: 'Read a type of problem',
    description: 'What the type `urn:problem:<name>` means, and what a client does about it; a page for browsers.',
  })
  @Access('public')
  @Header('vary', VARY)
  @Header('cache-control', CACHE)
  @ApiOkResponse({
    content: { 'application/json': { schema: { $ref: getSchemaPath(ProblemTypeResponse) } }, ...PAGE },
  })
  read(
    @Param('name') name: string,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): ProblemTypeResponse | string {
    const found = PROBLEM_TYPES.find((each) => each.name === name);
    if (found === undefined) {
      throw notFound(message('problem.not-found.problem-type'));
    }
    return isForBrowser(accept) ? page(reply, [found]) : found;
  }
}

function isForBrowser(accept = ''): boolean {
  return accept.includes('text/html');
}

function page(reply: FastifyReply, types: readonly ProblemTypeView[]): string {
  void reply.type('text/html; charset=utf-8');
  return problemTypesPage(types);
}
