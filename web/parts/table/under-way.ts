import { useMutationState } from '@tanstack/react-query';

interface Asked<Body> {
  readonly params: { readonly path: Readonly<Record<string, string>> };
  readonly body?: Body;
}

/**
 * Requests of one kind about rows of a list that are not answered yet, or whose result is still being read: such a row shows that
 * something happens, and nothing is asked twice about it.
 * @param method as a mutation of the API has it
 * @param path as the API's document has it
 * @returns what is asked about the row of an id; undefined: nothing
 */
export function useUnderWay<Body = undefined>(method: 'delete' | 'post' | 'put', path: string) {
  const asked = useMutationState({
    filters: { mutationKey: [method, path], status: 'pending' },
    select: ({ state }) => state.variables as Asked<Body>,
  });
  return (id: string): Asked<Body> | undefined => asked.find(({ params }) => Object.values(params.path).includes(id));
}
