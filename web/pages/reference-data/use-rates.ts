import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../api/client.js';
import type { ExchangeRatesResponse, ProblemResponse } from '../../api/schema.js';
import { ifMatch } from '../mapping/saved.js';
import { csvOfRates, ratesOf, type Rate } from '../../parts/figures/rate-lines.js';

const NOT_FOUND = 404;
const PATH = '/api/v1/exchange-rates';

/** A file in the place of all rates, as they were in that version. */
interface NewRates {
  readonly version: number;
  readonly csv: string;
}

/** A change of the rates: a file in their place, or what becomes of those that are there. */
export type RatesChange = NewRates | ((rates: readonly Rate[]) => readonly Rate[]);

/** The uploaded rates, and a way to change them. */
export function useRates() {
  const queryClient = useQueryClient();
  const query = apiQuery.useQuery('get', PATH, {}, { retry: false });
  const isNone = (Object(query.error) as Partial<ProblemResponse>).status === NOT_FOUND;
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: async (change: RatesChange) => {
      const { version, csv } = typeof change === 'function' ? await changedNow(change) : change;
      const { data, error: refused } = await api.PUT(PATH, {
        params: { header: ifMatch(version) },
        body: { csv },
      });
      if (data === undefined) {
        throw Object.assign(new Error(), refused);
      }
      return data;
    },
    // Also after a refusal: another administrator may have changed them meanwhile.
    onSettled: () => queryClient.invalidateQueries(),
  });
  const none: Partial<ExchangeRatesResponse> = {};
  const isFile = typeof variables === 'object';
  return {
    query: { ...query, data: isNone ? none : query.data },
    change: mutate,
    isChanging: isPending,
    fileError: isFile ? error : null,
    rateError: isFile ? null : error,
  };
}

/** Read anew before each change: what another administrator has entered meanwhile stays. */
async function changedNow(change: Exclude<RatesChange, NewRates>): Promise<NewRates> {
  const { data, error, response } = await api.GET(PATH);
  if (data === undefined && response.status !== NOT_FOUND) {
    throw Object.assign(new Error(), error);
  }
  return { version: data?.version ?? 0, csv: csvOfRates(change(ratesOf(data?.csv ?? ''))) };
}
