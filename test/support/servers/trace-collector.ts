// A collector of traces over loopback: keeps the spans that programs post to it, as OTLP over HTTP in JSON.
import { z } from 'zod';
import { WebhookReceiver } from './webhook-receiver.js';

const documentSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({
        attributes: z.array(z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) })),
      }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              startTimeUnixNano: z.string().regex(/^\d{19}$/),
              endTimeUnixNano: z.string().regex(/^\d{19}$/),
            }),
          ),
        }),
      ),
    }),
  ),
});

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
}

export class TraceCollector {
  private constructor(private readonly receiver: WebhookReceiver) {}

  static async start(): Promise<TraceCollector> {
    return new TraceCollector(await WebhookReceiver.start());
  }

  /** What sends a program's spans here. */
  get environment(): Readonly<Record<string, string>> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  }

  /** Waits for a span of this name and for all that it is within; @returns its trace */
  async traceWith(name: string): Promise<readonly CollectedSpan[]> {
    for (;;) {
      const seen = this.receiver.received.length;
      const spans = this.receiver.received.flatMap(({ text }) => spansOf(text));
      const traceId = spans.find((span) => span.name === name)?.traceId;
      const trace = spans.filter((span) => span.traceId === traceId);
      const ids = new Set(trace.map(({ spanId }) => spanId));
      if (trace.length > 0 && trace.every(({ parentSpanId: id }) => id === undefined || ids.has(id))) {
        return trace;
      }
      await this.receiver.arrivals(seen + 1);
    }
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
  }
}

function spansOf(text: string): readonly CollectedSpan[] {
  return documentSchema.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
}
