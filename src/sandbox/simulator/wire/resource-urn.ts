export type ResourceKind = 'company' | 'organisation';

/** How the platform names what an installation or a subscription belongs to (P3.1). */
export function resourceUrn(kind: ResourceKind, id: string): string {
  return `urn:platform:${kind}:${id}`;
}

/** The id at the end of such a name. */
export function idOfResource(urn: string): string {
  return urn.slice(urn.lastIndexOf(':') + 1);
}
