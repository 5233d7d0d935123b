/** Most requests in a minute, over all processes. */
export abstract class RequestLimits {
  /** Of one API token or session. */
  abstract readonly callerPerMinute: number;
  /**
   * Of one address, or of one /64 of IPv6: requests without credentials, and those whose credentials were wrong. As many
   * again: messages to webhook addresses that there are not.
   */
  abstract readonly anonymousPerMinute: number;
  /** Of all people and scripts of one installation: those whose answer needs the platform. */
  abstract readonly interactivePerMinute: number;
  /** Webhooks of one company. */
  abstract readonly endpointPerMinute: number;
}
