/**
 * An answer other than success in the platform's form `{type, message}` (wire-facts §0.4).
 * Thrown by whatever finds the reason; the filter writes it down.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Nothing under this id, or nothing the caller may see: the two look alike. */
export function notFound(type: string, message: string): ApiError {
  return new ApiError(404, type, message);
}

/** A path or query parameter that breaks its rule. */
export function badParameter(message: string): ApiError {
  return new ApiError(400, 'PARAMETER_VALIDATION_FAILED', message);
}
