// Whether a response is JSON or CSV: the query parameter decides, else the Accept header (RFC 9110 §12.5.1).

export const FORMATS = ['json', 'csv'] as const;
export type ResponseFormat = (typeof FORMATS)[number];

/**
 * @param format of the query as it came, which wins
 * @param accept the header as it came
 * @returns csv only where it is preferred to JSON; undefined for an unknown format
 */
export function negotiateFormat(format: unknown, accept: string | undefined): ResponseFormat | undefined {
  if (format !== undefined) {
    return FORMATS.find((known) => known === format);
  }
  const ranges = parseAccept(accept ?? '');
  return quality(ranges, 'text/csv') > quality(ranges, 'application/json') ? 'csv' : 'json';
}

type Ranges = ReadonlyMap<string, number>;

function parseAccept(header: string): Ranges {
  return new Map(
    header.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const given = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = given === undefined ? 1 : Number(given.slice(2));
      return [type, Number.isNaN(weight) ? 0 : weight];
    }),
  );
}

/** The weight of a type: that of the most specific range that matches. */
function quality(ranges: Ranges, type: string): number {
  const [kind = ''] = type.split('/');
  return ranges.get(type) ?? ranges.get(`${kind}/*`) ?? ranges.get('*/*') ?? 0;
}
