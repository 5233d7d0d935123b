/** Requests per minute, over all processes. */
export abstract class RequestLimits {
  /** Of one API token or session. */
  abstract readonly callerPerMinute: number;
  /**
   * Of one IPv4 address or IPv6 /64: requests without credentials or with wrong ones. The same number again: messages to
   * unknown webhook endpoints.
   */
  abstract readonly anonymousPerMinute: number;
  /** Of all people and scripts of one installation: requests that need the platform. */
  abstract readonly interactivePerMinute: number;
  /** Of one webhook endpoint. */
  abstract readonly endpointPerMinute: number;
}
