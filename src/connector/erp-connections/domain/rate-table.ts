/** Rates of an uploaded file: some ten years of five currencies. */
export const MAX_RATES = 20_000;
