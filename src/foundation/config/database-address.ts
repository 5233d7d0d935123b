/**
 * @param url `postgres://user@host/database`, with or without a password
 * @param password takes the place of the one in the address; undefined: the address as it is
 */
export function databaseAddress(url: string, password: string | undefined): string {
  if (password === undefined) {
    return url;
  }
  const address = new URL(url);
  address.password = encodeURIComponent(password);
  return address.href;
}
