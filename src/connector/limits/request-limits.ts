/** Most requests in a minute, over all processes. */
export abstract class RequestLimits {
  /** Of one API token or session. */
  abstract readonly callerPerMinute: number;
  /** Of one address, or of one /64 of IPv6: requests without credentials, and those whose credentials were wrong. */
  abstract readonly strangerPerMinute: number;
  /** Webhooks of one company. */
  abstract readonly endpointPerMinute: number;
}
