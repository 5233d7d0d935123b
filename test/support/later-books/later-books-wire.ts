// Groups and outcomes as one text: JSON has no big integers.

export function toWire(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each.toString()}n` : each));
}

export function fromWire<T>(text: string): T {
  return JSON.parse(text, (_, each: unknown) =>
    typeof each === 'string' && /^-?\d+n$/.test(each) ? BigInt(each.slice(0, -1)) : each,
  ) as T;
}
