import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../api/client.js';
import type { ExchangeRatesResponse, ProblemResponse } from '../../api/schema.js';
import { csvOfRates, ratesOf, type Rate } from '../../parts/figures/rate-lines.js';

const NOT_FOUND = 404;
const PATH = '/api/v1/exchange-rates';

/** A change of the rates: a file in their place, or what becomes of those that are there. */
export type RatesChange = string | ((rates: readonly Rate[]) => readonly Rate[]);

/** The uploaded rates, and a way to change them. */
export function useRates() {
  const queryClient = useQueryClient();
  const query = apiQuery.useQuery('get', PATH, {}, { retry: false });
  const isNone = (Object(query.error) as Partial<ProblemResponse>).status === NOT_FOUND;
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: async (change: RatesChange) => {
      const csv = typeof change === 'string' ? change : csvOfRates(change(ratesOf(await readNow())));
      const { data, error: refused } = await api.PUT(PATH, { body: { csv } });
      if (data === undefined) {
        throw Object.assign(new Error(), refused);
      }
      return data;
    },
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const none: Partial<ExchangeRatesResponse> = {};
  const isFile = typeof variables === 'string';
  return {
    query: { ...query, data: isNone ? none : query.data },
    change: mutate,
    isChanging: isPending,
    fileError: isFile ? error : null,
    rateError: isFile ? null : error,
  };
}

/** Read anew before each change: another administrator may have entered rates meanwhile. */
async function readNow(): Promise<string> {
  const { data, error, response } = await api.GET(PATH);
  if (data === undefined && response.status !== NOT_FOUND) {
    throw Object.assign(new Error(), error);
  }
  return data?.csv ?? '';
}
