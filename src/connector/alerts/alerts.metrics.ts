import { Counter } from 'prom-client';
import type { AlertChannel } from './domain/alert-settings.js';

const messages = new Counter({
  name: 'connector_alert_messages_total',
  help: 'Attempts to send an alert message',
  labelNames: ['channel', 'result'] as const,
});

export function countAlertMessage(channel: AlertChannel, result: 'sent' | 'failed'): void {
  messages.inc({ channel, result });
}
