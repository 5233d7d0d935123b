import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Headers, HttpCode, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { PostTestEntry } from '../../erp-connections/test-posting/post-test-entry.js';
import type { TestPosting } from '../../erp-connections/test-posting/test-posting.repository.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localize } from '../../messages/texts.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { POST_TEST_ENTRY, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { notFound } from '../http/problems.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { TestPostingRequestBody, TestPostingResponse } from './test-postings.dto.js';

@ApiTags('ERP connection')
@Controller('api/v1/erp-connection/test-posting')
export class TestPostingsController {
  constructor(private readonly postTestEntry: PostTestEntry) {}

  @Get()
  @ApiOperation({
    summary: 'Read the newest test posting',
    description: 'What became of it. 404 before the first.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: TestPostingResponse })
  @ApiNotFoundResponse({ description: 'there was no test posting' })
  async read(
    @Caller() { installationId }: Principal,
    @ReaderLanguage() language: string,
  ): Promise<TestPostingResponse> {
    const newest = await this.postTestEntry.findNewest(installationId);
    if (newest === undefined) {
      throw notFound(message('problem.not-found.test-posting'));
    }
    return toResponse(newest, language);
  }

  @Post()
  @ApiOperation({
    summary: 'Post a test entry',
    description:
      'Has the linked company of the accounting system prove that it takes postings: an entry of one minor unit on two accounts, posted and reversed at once, or kept as a draft where it cannot be reversed from here. It is no export. With an Idempotency-Key it is posted once, also after a crash.',
  })
  @HttpCode(200)
  @Access('admin')
  @RecentSignIn()
  @Idempotent()
  @ApiOkResponse({ type: TestPostingResponse })
  @ApiConflictResponse({
    description: 'no company is linked, or the accounting system can neither reverse nor keep drafts',
  })
  @ApiUnprocessableEntityResponse({ description: 'an account does not exist or is not active' })
  @ApiServiceUnavailableResponse({ description: 'the accounting system could not be used; nothing was posted' })
  async post(
    @Caller() { installationId, name }: Principal,
    @Body() { debit, credit }: TestPostingRequestBody,
    @Headers('idempotency-key') key: string | undefined,
    @ReaderLanguage() language: string,
  ): Promise<TestPostingResponse> {
    const id = key === undefined ? randomUUID() : uuidOf(`${installationId} ${name} ${key}`);
    const tested = await this.postTestEntry.post(installationId, { id, debit, credit, by: name });
    return toResponse(successOf(tested, ['tested'], POST_TEST_ENTRY).posting, language);
  }
}

/** The same for the same text, in the form of a UUID of version 8. */
function uuidOf(text: string): string {
  const hex = sha256Hex(text);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function toResponse(posting: TestPosting, language: string): TestPostingResponse {
  const { id, state, documentNumber, documentUrl, erpCompanyId, debitAccount, creditAccount, requestedBy } = posting;
  const parameters = { number: documentNumber ?? id, detail: posting.message ?? '' };
  return {
    ...{ id, state, documentNumber, documentUrl, erpCompanyId, requestedBy },
    works: state === 'taken-back' || state === 'draft',
    result: localize(language, message(`test-posting.${state}`, parameters)),
    debit: debitAccount,
    credit: creditAccount,
    requestedAt: posting.sentAt,
  };
}
