import { z } from 'zod';
import { currentTrace, type TraceCarrier } from '../../foundation/tracing/tracing.js';

const carrier = z.object({
  traceparent: z.string(),
  webhookId: z.string().exactOptional(),
  exportJobId: z.string().exactOptional(),
});

/** A payload that takes along the trace it is sent in; without one it stays as it is. */
export function withTrace(payload: object): object {
  const trace = currentTrace();
  return trace === undefined ? payload : { ...payload, trace };
}

/** What was sent, and in which trace. */
export function withoutTrace(given: object): { readonly payload: object; readonly trace: TraceCarrier | undefined } {
  const { trace, ...payload } = given as { readonly trace?: unknown };
  return { payload, trace: carrier.safeParse(trace).data };
}
