/** The addresses of ours that others call. */
export class PublicAddress {
  /** @param base without trailing slash */
  constructor(private readonly base: string) {}

  webhook(endpointToken: string): string {
    return `${this.base}/webhooks/${endpointToken}`;
  }

  oauthCallback(): string {
    return `${this.base}/oauth/callback`;
  }

  get isSecure(): boolean {
    return this.base.startsWith('https://');
  }
}
