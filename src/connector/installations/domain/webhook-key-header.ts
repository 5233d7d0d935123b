/** Custom header that the platform sends with each message: a second factor besides the signature (S16). */
export const WEBHOOK_KEY_HEADER = 'x-connector-key';
