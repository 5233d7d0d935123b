/** Positions of a job's items, from 1, a bit each: a million of them take 125 kB. */
export class PositionSet {
  private readonly bits: Uint8Array;

  /** @param last the greatest position */
  constructor(private readonly last: number) {
    this.bits = new Uint8Array((last >> 3) + 1);
  }

  /** Positions beyond the last one are none of the job's. */
  add(position: number): void {
    if (position >= 0 && position <= this.last) {
      this.bits[position >> 3] = (this.bits[position >> 3] ?? 0) | (1 << (position & 7));
    }
  }

  /** @yields the positions that were not added, in order, at most `size` at a time */
  *missing(size: number): Generator<readonly number[]> {
    let chunk: number[] = [];
    for (let position = 0; position <= this.last; position += 1) {
      if (((this.bits[position >> 3] ?? 0) & (1 << (position & 7))) === 0) {
        chunk.push(position);
      }
      if (chunk.length === size) {
        yield chunk;
        chunk = [];
      }
    }
    if (chunk.length > 0) {
      yield chunk;
    }
  }
}
