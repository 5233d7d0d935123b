import { message, type Message } from '../../kernel/message.js';

/** One thing wrong with a request or a file; further members say where it stands. */
export interface ProblemError {
  readonly detail: string;
  /** The detail, for readers of another language than English; not sent. */
  readonly message?: Message;
  readonly [member: string]: unknown;
}

/** One thing wrong with a request, with the JSON pointer of the value (RFC 6901). */
export interface InvalidValue extends ProblemError {
  readonly pointer: string;
}

export interface ProblemOptions {
  /** HTTP status. */
  readonly status: number;
  /** Stable name of the kind of problem, kebab-case; becomes the `type` URN. */
  readonly type: string;
  /** Of the type; by its status unless given. */
  readonly title?: string;
  /** What is wrong and what to do about it, for the person who reads the response. */
  readonly detail: string;
  /** The detail, for readers of another language than English. */
  readonly message?: Message;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly ProblemError[];
  /** Further members of the problem document (RFC 9457 §3.2). */
  readonly members?: object;
  readonly cause?: unknown;
}

/** A response other than success, as `application/problem+json` (RFC 9457). Thrown by controllers and guards only. */
export class Problem extends Error {
  constructor(readonly options: ProblemOptions) {
    super(options.detail, { cause: options.cause });
    this.name = 'Problem';
  }
}

/** For a body whose type or encoding nothing reads. */
export function otherMediaType(): ProblemOptions {
  const detail =
    'Send the body as application/json, or in the type that the document of the API names for this address; not compressed.';
  const text = message('problem.unsupported-media-type.detail');
  return { status: 415, type: 'unsupported-media-type', detail, message: text };
}

/** The document that goes over the wire. */
export interface ProblemDocument extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** How a program writes what it refuses before a route is found. */
export interface RefusalForm {
  readonly contentType: string;
  document(options: ProblemOptions, requestId: string): object;
}

export const PROBLEM_FORM: RefusalForm = { contentType: PROBLEM_CONTENT_TYPE, document: problemDocument };

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request timed out',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  422: 'Unprocessable',
  428: 'Precondition required',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'Bad answer from another system',
  503: 'Temporarily unavailable',
};

/** @param requestId goes into `instance`, so that a support request can name one line of the log */
export function problemDocument(options: ProblemOptions, requestId: string): ProblemDocument {
  return {
    ...options.members,
    type: `urn:problem:${options.type}`,
    title: options.title ?? TITLES[options.status] ?? 'Error',
    status: options.status,
    detail: options.detail,
    instance: `urn:request:${requestId}`,
    ...(options.errors === undefined ? {} : { errors: options.errors.map(withoutMessage) }),
  };
}

function withoutMessage(error: ProblemError): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(error).filter(([name]) => name !== 'message'));
}
