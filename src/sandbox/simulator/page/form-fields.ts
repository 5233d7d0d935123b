import { z } from 'zod';

/** Path of the page with clock, settings and failures. */
export const FAILURES_PATH = '/page/failures';

/** A whole number; a field that is left empty is undefined. */
export const numberField = z
  .string()
  .regex(/^\d{0,9}$/, 'is a whole number')
  .optional()
  .transform((text) => (text === undefined || text === '' ? undefined : Number(text)));
