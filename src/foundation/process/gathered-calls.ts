// Calls that come in while one of their kind is under way wait for it and are then answered together, so that many at the same
// moment cost as much as a few. Nothing is kept: each answer was looked up, or written, after its call came in.
import { AsyncResource } from 'node:async_hooks';

interface Call<Input, Output> {
  readonly input: Input;
  readonly answered: (output: Output) => void;
  readonly failed: (error: unknown) => void;
}

export class GatheredCalls<Key, Input, Output> {
  private readonly waiting = new Map<Key, Call<Input, Output>[]>();
  /** The function that answers several calls runs in the context of none of them. */
  private readonly context = new AsyncResource('GatheredCalls');

  /**
   * @param answer answers calls with the same key, in their order; where it fails for several, each of them is tried alone
   * @param most calls that are answered together
   */
  constructor(
    private readonly answer: (key: Key, inputs: readonly Input[]) => Promise<readonly Output[]>,
    private readonly most: number,
  ) {}

  /** @throws whatever `answer` throws for this call */
  async call(key: Key, input: Input): Promise<Output> {
    return new Promise((answered, failed) => {
      const waiting = this.waiting.get(key);
      if (waiting === undefined) {
        this.waiting.set(key, [{ input, answered, failed }]);
        this.context.runInAsyncScope(() => void this.work(key));
      } else {
        waiting.push({ input, answered, failed });
      }
    });
  }

  private async work(key: Key): Promise<void> {
    for (let calls = this.next(key); calls.length > 0; calls = this.next(key)) {
      await this.answerAll(key, calls);
    }
    this.waiting.delete(key);
  }

  private next(key: Key): readonly Call<Input, Output>[] {
    return this.waiting.get(key)?.splice(0, this.most) ?? [];
  }

  private async answerAll(key: Key, calls: readonly Call<Input, Output>[]): Promise<void> {
    try {
      const inputs = calls.map(({ input }) => input);
      const outputs = await this.answer(key, inputs);
      for (const [index, { answered }] of calls.entries()) {
        answered(outputs[index] as Output);
      }
    } catch (error) {
      if (calls.length === 1) {
        calls[0]?.failed(error);
      } else {
        await Promise.all(calls.map((call) => this.answerAll(key, [call])));
      }
    }
  }
}
