/** Our own header on each message, asked for as a custom header: a second factor (S16). */
export const WEBHOOK_KEY_HEADER = 'x-connector-key';
