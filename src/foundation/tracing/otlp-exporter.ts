// Spans to a collector, as OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/). Loaded only where tracing is on.
import { SystemClock } from '../clock/system-clock.js';
import { HttpClient } from '../http/client/http-client.js';
import type { Logger } from '../logging/logger.js';
import { sendSpansTo, type EndedSpan, type SpanKind, type SpanSink } from './tracing.js';
import type { TracingConfig } from './tracing-config.js';

/** More are dropped until the collector is back. */
const MAX_WAITING = 4_096;
const MAX_AT_ONCE = 512;
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
const ERROR = 2;
/** Of this many hexadecimal digits of a trace's id a share is made; they are random. */
const RATIO_DIGITS = 8;

export class OtlpExporter implements SpanSink {
  private readonly clock = new SystemClock();
  private readonly offsetMs = this.clock.now().getTime() - this.clock.monotonicMs();
  private readonly client: HttpClient;
  private readonly path: string;
  private waiting: EndedSpan[] = [];
  private dropped = 0;
  private isFailing = false;
  private sending = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly config: TracingConfig,
    private readonly program: string,
    private readonly logger: Logger,
  ) {
    const { origin, pathname } = new URL(config.endpoint);
    this.path = pathname;
    this.client = new HttpClient({
      baseUrl: origin,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxConnections: 1,
    });
    this.timer = setInterval(() => void this.send(), config.everyMs).unref();
  }

  static start(config: TracingConfig, program: string, logger: Logger): OtlpExporter {
    const exporter = new OtlpExporter(config, program, logger);
    sendSpansTo(exporter);
    return exporter;
  }

  nowMs(): number {
    return this.offsetMs + this.clock.monotonicMs();
  }

  samples(traceId: string): boolean {
    const share = Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) / 16 ** RATIO_DIGITS;
    return share < this.config.ratio;
  }

  add(span: EndedSpan): void {
    if (this.waiting.length < MAX_WAITING) {
      this.waiting.push(span);
    } else {
      this.dropped += 1;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    sendSpansTo(undefined);
    await this.send();
    this.client.close();
  }

  private async send(): Promise<void> {
    this.sending = this.sending.then(() => this.sendWaiting());
    await this.sending;
  }

  private async sendWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const spans = this.waiting.splice(0, MAX_AT_ONCE);
      const problem = await this.post(spans);
      if (problem !== undefined) {
        this.dropped += spans.length;
        this.noteFailure(problem);
        return;
      }
      this.isFailing = false;
    }
  }

  /** @returns why they were not taken */
  private async post(spans: readonly EndedSpan[]): Promise<string | undefined> {
    try {
      const { status } = await this.client.send({
        method: 'POST',
        path: this.path,
        headers: { ...this.config.headers, 'content-type': 'application/json' },
        body: JSON.stringify(this.documentOf(spans)),
      });
      return status < 300 ? undefined : `status ${status.toString()}`;
    } catch (error) {
      return error instanceof Error ? error.message : 'unknown';
    }
  }

  /** Once, until it works again. */
  private noteFailure(problem: string): void {
    if (!this.isFailing) {
      this.logger.warn({ problem, dropped: this.dropped }, 'tracing.export_failed');
    }
    this.isFailing = true;
  }

  private documentOf(spans: readonly EndedSpan[]): object {
    const resource = { 'service.name': this.config.serviceName ?? this.program, 'process.pid': process.pid };
    const scopeSpans = [{ scope: { name: 'erp-export-connector' }, spans: spans.map(spanOf) }];
    return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
  }
}

function spanOf({ startMs, endMs, kind, attributes, error, parentSpanId, ...span }: EndedSpan): object {
  return {
    ...span,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(attributes),
    status: error === undefined ? {} : { code: ERROR, message: error },
  };
}

function attributesOf(attributes: EndedSpan['attributes']): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            key,
            value: typeof value === 'number' ? { intValue: Math.trunc(value).toString() } : { stringValue: value },
          },
        ],
  );
}

/** As text: they are more than a number holds. */
function nanoseconds(ms: number): string {
  return (BigInt(Math.round(ms * 1_000)) * 1_000n).toString();
}
