export type ResourceKind = 'company' | 'organisation';

/** How the platform names what an installation or a subscription belongs to (wire-facts §3.1). */
export function resourceUrn(kind: ResourceKind, id: string): string {
  return `urn:platform:${kind}:${id}`;
}
