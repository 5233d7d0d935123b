/** A request for one or several issues. */
export interface Sending {
  readonly issues: number;
  /**
   * @returns for how many of them it did something; of the others nothing has to be said
   * @throws the problem of the API
   */
  readonly send: () => Promise<number>;
}

export interface AllSent {
  readonly resolved: number;
  /** Issues of the requests that were refused. */
  readonly refused: number;
  /** Of the first refused request. */
  readonly problem?: unknown;
}

/**
 * Sends each request, whatever becomes of the others.
 * @param isLeaving all at once: nothing can follow an answer
 */
export async function sendAll(sendings: readonly Sending[], isLeaving: boolean): Promise<AllSent> {
  const answers: AllSent[] = [];
  if (isLeaving) {
    answers.push(...(await Promise.all(sendings.map(sent))));
  } else {
    for (const sending of sendings) {
      answers.push(await sent(sending));
    }
  }
  const refusal = answers.find(({ refused }) => refused > 0);
  return {
    resolved: answers.reduce((sum, { resolved }) => sum + resolved, 0),
    refused: answers.reduce((sum, { refused }) => sum + refused, 0),
    ...(refusal === undefined ? {} : { problem: refusal.problem }),
  };
}

async function sent({ issues, send }: Sending): Promise<AllSent> {
  try {
    return { resolved: await send(), refused: 0 };
  } catch (problem) {
    return { resolved: 0, refused: issues, problem };
  }
}
