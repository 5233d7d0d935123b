import { Histogram } from 'prom-client';

const intake = new Histogram({
  name: 'connector_webhook_intake_seconds',
  help: 'From the start of the verification until the message is stored or refused',
  labelNames: ['outcome'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

/** @param outcome of the acceptance, or `error` when nothing could be stored */
export function observeIntake(outcome: string, seconds: number): void {
  intake.observe({ outcome }, seconds);
}
