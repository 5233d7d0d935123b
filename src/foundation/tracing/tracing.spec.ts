import { afterEach, describe, expect, it } from '@jest/globals';
import { loadTracingConfig } from './tracing-config.js';
import {
  currentTrace,
  inChildSpan,
  inSpan,
  inTrace,
  sendSpansTo,
  traceFields,
  traceHeaders,
  type EndedSpan,
} from './tracing.js';

const PARENT = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, webhookId: 'msg_1' };
const spans: EndedSpan[] = [];
let isSampled = true;
const turnOn = () => {
  sendSpansTo({ nowMs: () => 0, samples: () => isSampled, add: (span) => spans.push(span) });
};
afterEach(() => {
  sendSpansTo(undefined);
  spans.length = 0;
  isSampled = true;
});

describe('tracing', () => {
  it('that is off calls the work, and neither propagates nor logs anything', async () => {
    const seen = await inSpan('job', { parent: PARENT }, () =>
      inTrace(PARENT, () => Promise.resolve([currentTrace(), traceHeaders(), traceFields()])),
    );
    expect(seen).toEqual([undefined, {}, {}]);
  });

  it('continues a trace that came through the queue, and names webhook and job together', async () => {
    turnOn();
    const seen = await inSpan('job', { parent: PARENT, about: { exportJobId: 'job-1' } }, () =>
      inChildSpan('call', { kind: 'client' }, () => Promise.resolve([traceHeaders(), traceFields(), currentTrace()])),
    );
    const [call, job] = spans;
    expect([call?.parentSpanId, job?.parentSpanId]).toEqual([job?.spanId, 'b'.repeat(16)]);
    const traceparent = `00-${'a'.repeat(32)}-${call?.spanId ?? ''}-01`;
    const about = { webhookId: 'msg_1', exportJobId: 'job-1' };
    const trace = { traceId: 'a'.repeat(32), spanId: call?.spanId, ...about };
    expect(seen).toEqual([{ traceparent }, { trace }, { traceparent, ...about }]);
  });

  it('records the error that ended a span, and rethrows it', async () => {
    turnOn();
    await expect(inSpan('job', {}, () => Promise.reject(new TypeError('no')))).rejects.toThrow('no');
    expect(spans).toMatchObject([{ name: 'job', error: 'TypeError', parentSpanId: undefined }]);
  });

  it('starts no trace for a call outside of one, and records none that is not sampled', async () => {
    turnOn();
    await inChildSpan('call', {}, () => Promise.resolve());
    isSampled = false;
    const header = await inSpan('job', {}, () => Promise.resolve(traceHeaders()));
    expect(spans).toEqual([]);
    expect(header).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) as unknown });
  });

  it('ignores an invalid trace context', async () => {
    turnOn();
    await inSpan('job', { parent: { traceparent: '00-zz-1-01' } }, () => Promise.resolve());
    expect(spans).toMatchObject([{ parentSpanId: undefined }]);
  });
});

describe('the variables of tracing', () => {
  const endpoint = 'http://collector:4318';
  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }, { endpoint: `${endpoint}/v1/traces`, ratio: 1, everyMs: 5_000 }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/x` }, { endpoint: `${endpoint}/x` }],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a, x-y=b' },
      { headers: { authorization: 'Bearer a', 'x-y': 'b' } },
    ],
  ])('%j', (environment, expected) => {
    const config = loadTracingConfig(environment);
    expect(config).toEqual(expected === undefined ? undefined : expect.objectContaining(expected));
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://anna:hidden@collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http/json'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'nonsense' }, 'name=value'],
  ])('refuses %j by name', (environment, named) => {
    expect(() => loadTracingConfig(environment)).toThrow(named);
  });
});
