import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { message } from '../../../kernel/message.js';
import { httpPlugin, type HttpPlugin } from '../http-plugin.js';
import { exceedsJsonBudget, type JsonBudget } from '../json-budget.js';
import { otherMediaType, Problem } from '../problem.js';
import { pointerPart } from '../value-check.js';

interface JsonBodyOptions {
  /** Whether a text that no database takes gets 422. */
  readonly storableTexts: boolean;
  /** More than this gets 413, before it is parsed. */
  readonly budget: JsonBudget;
}

/**
 * Parses `application/json` bodies, and leaves them as raw bytes on routes whose config says `rawBody` (a webhook is
 * verified over its bytes before anything is parsed; docs/rules/bad-inputs.md, D1).
 */
export function jsonBodies(options: JsonBodyOptions): HttpPlugin {
  return httpPlugin('json-bodies', (fastify, _options, done) => {
    fastify.removeContentTypeParser('application/json');
    fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, parsed) => {
      const raw = Reflect.get(request.routeOptions.config, 'rawBody') === true;
      if (raw || body.length === 0) {
        parsed(null, raw ? body : undefined);
        return;
      }
      if (isEncoded(request.headers)) {
        parsed(new Problem(otherMediaType()));
        return;
      }
      try {
        const value = parseJson(body, options);
        parsed(value === null ? noObject() : null, value);
      } catch (error) {
        const detail = 'The body is not valid JSON in UTF-8.';
        const malformed = new Problem({ status: 400, type: 'malformed-json', detail, cause: error });
        parsed(error instanceof Problem ? error : malformed);
      }
    });
    done();
  });
}

/**
 * Keys that could reach a prototype are refused, not dropped, so that a caller learns of them; and texts that no database
 * takes. Looking at each value costs several times the parsing, so it is done only where such a one can be: written out,
 * or hidden in an escape.
 */
function parseJson(body: Buffer, { storableTexts, budget }: JsonBodyOptions): unknown {
  const text = body.toString();
  if (!isUtf8(body)) {
    throw new SyntaxError('not UTF-8');
  }
  if (exceedsJsonBudget(text, budget)) {
    const [values, levels, names] = [budget.maxValues, budget.maxDepth, budget.maxNames].map(String);
    const detail = `A body has at most ${values} values, ${levels} levels deep, and ${names} of them in one object.`;
    throw new Problem({ status: 413, type: 'payload-too-large', detail });
  }
  if (!text.includes('__proto__') && !text.includes('\\u')) {
    return JSON.parse(text);
  }
  const parsed: unknown = JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__') {
      throw new SyntaxError('the key __proto__ is not allowed');
    }
    return value;
  });
  const pointer = storableTexts ? unusableText(parsed, '') : undefined;
  if (pointer !== undefined) {
    const detail = 'It contains the character NUL, or half of a pair of surrogates.';
    throw new Problem({
      status: 422,
      type: 'unusable-text',
      detail: 'A text of the body cannot be stored; "errors" says which.',
      message: message('problem.unusable-text.detail'),
      errors: [{ pointer, detail, message: message('problem.unusable-text.value') }],
    });
  }
  return parsed;
}

/** @returns JSON pointer of the first text, or name, that no database takes */
function unusableText(value: unknown, pointer: string): string | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : pointer;
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const found = isStorable(name) ? unusableText(inner, `${pointer}/${pointerPart(name)}`) : pointer;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Nothing is unpacked here: what the header promises is either not there, or cannot be read. */
function isEncoded({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return encoding.toLowerCase() !== 'identity';
}

/** Validation would take it for an object without properties. */
function noObject(): Problem {
  return new Problem({ status: 400, type: 'invalid-request', detail: 'The body is null, and no object.' });
}
