/** The addresses under which others call this program. */
export class PublicAddress {
  /**
   * @param base without trailing slash
   * @param issuePages where people open issues, without trailing slash; undefined where there is no page
   */
  constructor(
    private readonly base: string,
    private readonly issuePages?: string,
  ) {}

  toString(): string {
    return this.base;
  }

  webhook(endpointToken: string): string {
    return `${this.base}/webhooks/${endpointToken}`;
  }

  /** @returns the last part of one of our webhook addresses; undefined for any other address */
  endpointTokenOf(url: string): string | undefined {
    const prefix = this.webhook('');
    const token = url.startsWith(prefix) ? url.slice(prefix.length) : '';
    return /^[A-Za-z0-9_-]+$/.test(token) ? token : undefined;
  }

  oauthCallback(): string {
    return `${this.base}/oauth/callback`;
  }

  /** Where the browser returns from the sign-in at an ERP. */
  erpSignInCallback(): string {
    return `${this.base}/settings/erp-sign-in`;
  }

  /** The page of an issue. @returns undefined where there is none */
  issuePage(issueKey: string): string | undefined {
    return this.issuePages === undefined ? undefined : `${this.issuePages}/${encodeURIComponent(issueKey)}`;
  }

  get hostname(): string {
    return new URL(this.base).hostname;
  }

  get isSecure(): boolean {
    return this.base.startsWith('https://');
  }
}
