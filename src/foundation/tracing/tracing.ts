// Spans that join what one webhook causes over all processes, and their ids on log lines. Off until `startTracing` gives spans
// somewhere to go: then nothing is measured, carried or logged, and the work is called as it is.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** What log lines of a trace name besides its id. */
interface Subject {
  readonly webhookId?: string;
  readonly exportJobId?: string;
}

/** A trace on its way through a queue. */
export interface TraceCarrier extends Subject {
  /** As of W3C Trace Context. */
  readonly traceparent: string;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** What this span and those within are about. */
  readonly about?: Subject;
  /** Instead of the span around the call. */
  readonly parent?: TraceCarrier | undefined;
}

export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Name of the error that ended it. */
  readonly error: string | undefined;
}

/** Where spans go. */
export interface SpanSink {
  nowMs(): number;
  /** Whether a new trace is recorded. */
  samples(traceId: string): boolean;
  add(span: EndedSpan): void;
}

interface Scope {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly about: Subject;
  readonly attributes: Record<string, string | number | undefined>;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const scope = new AsyncLocalStorage<Scope>();
let sink: SpanSink | undefined;

/** @param to undefined: tracing is off again */
export function sendSpansTo(to: SpanSink | undefined): void {
  sink = to;
}

/**
 * Runs work as a span: of the trace that is under way, of the one that `parent` carries, or of a new one.
 * @throws whatever the work throws; the span then bears the error's name
 */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const to = sink;
  if (to === undefined) {
    return work();
  }
  const { kind = 'internal', attributes = {} } = options;
  const around = options.parent === undefined ? scope.getStore() : scopeOf(options.parent);
  const traceId = around?.traceId ?? newId(16);
  const isSampled = around?.isSampled ?? to.samples(traceId);
  const about = { ...around?.about, ...options.about };
  const own: Scope = { traceId, spanId: newId(8), isSampled, about, attributes: { ...attributes } };
  const startMs = to.nowMs();
  let failure: string | undefined;
  try {
    return await scope.run(own, work);
  } catch (error) {
    failure = error instanceof Error ? error.name : 'unknown';
    throw error;
  } finally {
    if (isSampled) {
      const ids = { traceId, spanId: own.spanId, parentSpanId: around?.spanId };
      to.add({ ...ids, name, kind, startMs, endMs: to.nowMs(), attributes: own.attributes, error: failure });
    }
  }
}

/** As `inSpan`, but only within a trace: what the program does on its own begins none. */
export async function inChildSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return sink === undefined || scope.getStore() === undefined ? work() : inSpan(name, options, work);
}

/** Adds to the span that is under way, if there is one. */
export function describeSpan(attributes: Attributes): void {
  Object.assign(scope.getStore()?.attributes ?? {}, attributes);
}

/** The trace that is under way, for a message to another process; undefined where there is none. */
export function currentTrace(): TraceCarrier | undefined {
  const current = sink && scope.getStore();
  return current && { traceparent: traceparentOf(current), ...current.about };
}

/** Goes on in a trace that was taken along, without a span of its own. */
export async function inTrace<T>(carried: TraceCarrier | undefined, work: () => Promise<T>): Promise<T> {
  const found = sink && carried && scopeOf(carried);
  return found === undefined ? work() : scope.run(found, work);
}

/** The header of a request to another system; empty where no trace is under way. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const current = sink && scope.getStore();
  return current === undefined ? {} : { traceparent: traceparentOf(current) };
}

/** What a log line says of the trace that it belongs to; a new object each time. */
export function traceFields(): { trace?: object } {
  const current = sink && scope.getStore();
  return current === undefined ? {} : { trace: { traceId: current.traceId, spanId: current.spanId, ...current.about } };
}

/** @returns undefined for what is no trace */
function scopeOf({ traceparent, ...about }: TraceCarrier): Scope | undefined {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent) ?? [];
  return traceId === undefined || spanId === undefined
    ? undefined
    : { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, about, attributes: {} };
}

function traceparentOf({ traceId, spanId, isSampled }: Scope): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
