/**
 * A response other than success in the platform's form `{type, message}` (P0.4); the filter sends it.
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

  get body(): object {
    return { type: this.type, message: this.message };
  }
}

/** As the authorization server refuses: `{error, error_description}` (RFC 6749 §5.2). */
export class OAuthError extends ApiError {
  override get body(): object {
    return { error: this.type, error_description: this.message };
  }
}

/** A resource that does not exist or that the caller may not see: the two look alike. */
export function notFound(type: string, message: string): ApiError {
  return new ApiError(404, type, message);
}

/** A path or query parameter that breaks its rule. */
export function badParameter(message: string): ApiError {
  return new ApiError(400, 'PARAMETER_VALIDATION_FAILED', message);
}
