import type { Logger } from '../logging/logger.js';
import type { TracingConfig } from './tracing-config.js';

/**
 * Begins to send spans; without a configuration nothing is loaded.
 * @param program name of the service where the environment gives none
 * @returns sends what is left, and ends it; never rejects
 */
export async function startTracing(
  config: TracingConfig | undefined,
  program: string,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (config === undefined) {
    return () => Promise.resolve();
  }
  const { OtlpExporter } = await import('./otlp-exporter.js');
  const exporter = OtlpExporter.start(config, program, logger);
  return () => exporter.stop();
}
