import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import { httpAddress } from '../config/http-address.js';
import { loadConfig } from '../config/load-config.js';

/** The standard variables of OpenTelemetry that count here; others are left alone. */
const variables = z.object({
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'needs "true" or "false"').default('false'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'needs "otlp" or "none"').default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddress.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpAddress.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/json'], 'needs "http/json", the one that is spoken').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().transform(headers).default({}),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(
      ['parentbased_always_on', 'parentbased_traceidratio'],
      'needs "parentbased_always_on" or "parentbased_traceidratio"',
    )
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('needs a number').min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number('needs milliseconds').int().min(10).max(60_000).default(5_000),
});

export interface TracingConfig {
  /** Where spans are posted to. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string | undefined;
  /** Share of new traces that are recorded, from 0 to 1. */
  readonly ratio: number;
  /** Milliseconds between two requests. */
  readonly everyMs: number;
}

/**
 * @returns undefined where tracing is off: no endpoint, or switched off
 * @throws ConfigurationError with every problem at once
 */
export function loadTracingConfig(environment: Environment): TracingConfig | undefined {
  const values = loadConfig({ schema: variables, prefixes: [], secrets: ['OTEL_EXPORTER_OTLP_HEADERS'] }, environment);
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  if (!endpoint || values.OTEL_SDK_DISABLED === 'true' || values.OTEL_TRACES_EXPORTER === 'none') {
    return undefined;
  }
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: values.OTEL_TRACES_SAMPLER === 'parentbased_traceidratio' ? values.OTEL_TRACES_SAMPLER_ARG : 1,
    everyMs: values.OTEL_BSP_SCHEDULE_DELAY,
  };
}

/** @param text `name=value,name=value`, percent-encoded */
function headers(text: string, context: z.RefinementCtx): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)=(.*?)\s*$/.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = pair ?? [];
        if (name === '') {
          throw new Error('no pair');
        }
        return [name, decodeURIComponent(value)];
      }),
    );
  } catch {
    context.addIssue({ code: 'custom', message: 'needs name=value, separated by commas' });
    return z.NEVER;
  }
}
