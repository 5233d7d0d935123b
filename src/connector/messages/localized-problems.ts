import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemWording } from '../../foundation/http/problem.filter.js';
import type { ProblemError, ProblemOptions } from '../../foundation/http/problem.js';
import type { Message } from '../../kernel/message.js';
import { readerLanguage } from './reader-language.js';
import { ENGLISH, hasText, localize } from './texts.js';

/** Title and detail of a problem in the reader's language; a detail that is no message stays as it was written, in English. */
@Injectable()
export class LocalizedProblems extends ProblemWording {
  override word(options: ProblemOptions, request: FastifyRequest, reply: FastifyReply): ProblemOptions {
    return localizeOptions(readerLanguage(request, reply), options);
  }
}

/** @param language one of `LANGUAGES` */
export function localizeOptions(language: string, options: ProblemOptions): ProblemOptions {
  if (language === ENGLISH) {
    return options;
  }
  const title = `problem.${options.type}`;
  return {
    ...options,
    ...(hasText(title) && { title: localize(language, { code: title, parameters: {} }).text }),
    detail: textOf(language, options),
    ...(options.errors !== undefined && {
      errors: options.errors.map((error) => ({ ...error, detail: textOf(language, error) })),
    }),
  };
}

function textOf(
  language: string,
  { detail, message }: Pick<ProblemError, 'detail'> & { readonly message?: Message | undefined },
): string {
  return message === undefined ? detail : localize(language, message).text;
}
