// Why a clause does not hold, in words: what was found where something else was expected, place by place.
import { inspect, stripVTControlCharacters } from 'node:util';

const MAX_PLACES = 8;
const MAX_LENGTH = 200;

interface Comparison {
  readonly expected: unknown;
  readonly actual: unknown;
}

/** @returns one sentence for each place that differs, or the message of what was thrown */
export function failureWords(error: unknown): readonly string[] {
  const compared = comparisonOf(error);
  const places = compared === undefined ? [] : differences(compared, '');
  if (places.length > 0) {
    return places.slice(0, MAX_PLACES);
  }
  const message = error instanceof Error ? error.message : inspect(error);
  // Messages of matchers are colored.
  return [stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').slice(0, 1_000)];
}

function comparisonOf(error: unknown): Comparison | undefined {
  const { matcherResult } = error as { readonly matcherResult?: Partial<Comparison> & { readonly pass?: boolean } };
  return matcherResult !== undefined && 'expected' in matcherResult && 'actual' in matcherResult
    ? { expected: matcherResult.expected, actual: matcherResult.actual }
    : undefined;
}

function differences({ expected, actual }: Comparison, place: string): readonly string[] {
  if (agrees(expected, actual)) {
    return [];
  }
  if (!isPlain(expected) || !isPlain(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return [`${place === '' ? 'it' : place} is ${words(actual)}, where ${words(expected)} is expected`];
  }
  return Object.keys(expected).flatMap((name) => {
    const inner = Array.isArray(expected) ? `${place}[${name}]` : [place, name].filter(Boolean).join('.');
    return differences({ expected: expected[name], actual: actual[name] }, inner);
  });
}

function agrees(expected: unknown, actual: unknown): boolean {
  const matcher = expected as { readonly asymmetricMatch?: (value: unknown) => boolean } | null | undefined;
  return matcher?.asymmetricMatch?.(actual) ?? Object.is(expected, actual);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Map) && !(value instanceof Set);
}

function words(value: unknown): string {
  const matcher = value as { readonly toAsymmetricMatcher?: () => string } | null | undefined;
  const text = matcher?.toAsymmetricMatcher?.() ?? inspect(value, { breakLength: Infinity, depth: 3 });
  return value === undefined ? 'missing' : text.slice(0, MAX_LENGTH);
}
