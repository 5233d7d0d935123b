/** The access token of a connection whose person has signed in at the ERP. */
export interface ErpAccess {
  /** One that is good for the next request. @throws ErpUnavailable, of the kind `authentication` when only a person can help */
  accessToken(): Promise<string>;
  /** @param rejected that the ERP has just refused. @returns another one @throws as `accessToken` */
  renewed(rejected: string): Promise<string>;
}
