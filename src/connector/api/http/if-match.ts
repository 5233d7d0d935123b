// How every route that saves something versioned requires the version that was edited.
import type { FastifyReply } from 'fastify';
import type { Problem } from '../../../foundation/http/problem.js';
import { message } from '../../../kernel/message.js';
import { problem } from './problems.js';

/** Of the OpenAPI document. */
export const IF_MATCH = {
  name: 'If-Match',
  required: true,
  description: 'ETag of the version that was edited, "0" for the first',
  example: '"12"',
};

const ETAG = /^"(\d{1,9})"$/;

/**
 * @param ifMatch the header as it came
 * @throws Problem 428 without it, 412 when it is no ETag of ours
 */
export function expectedVersionOf(ifMatch: string | undefined): number {
  if (ifMatch === undefined) {
    const detail = message('problem.precondition-required.detail');
    throw problem('precondition-required', detail);
  }
  const version = ETAG.exec(ifMatch)?.[1];
  if (version === undefined) {
    throw problem('version-changed', message('problem.version-changed.no-etag'));
  }
  return Number(version);
}

export function setEtag(reply: FastifyReply, version: number): void {
  void reply.header('etag', `"${version.toString()}"`);
}

export function staleVersion(): Problem {
  const detail = message('problem.version-changed.detail');
  return problem('version-changed', detail);
}
