// Groups that the ERP has accepted and decides later are queried until their outcome is known.
import type { Clock } from '../../kernel/clock.js';
import type { ErpCall } from './erp-call.js';
import {
  ErpUnavailable,
  type AcceptedGroup,
  type AcceptedOutcome,
  type ErpFailure,
  type ErpLedger,
  type PostingGroup,
  type PostOutcome,
} from './erp-ledger.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** Requests in a row that may fail. */
const MAX_FAILURES = 5;
const NOT_DECIDED_YET: ErpFailure = {
  kind: 'timeout',
  message: 'the accounting system has accepted the entry and has not said yet what became of it',
};

export class AcceptedPosts {
  /** @param isOutcomeLater whether the adapter declares outcomes that come later */
  constructor(
    private readonly ledger: Pick<ErpLedger, 'outcomesOf'>,
    private readonly isOutcomeLater: boolean,
    private readonly clock: Clock,
  ) {}

  /**
   * @param outcomes of the post, one per group
   * @param recordAccepted is awaited before accepted groups are queried
   * @returns one outcome per group: `unknown` where the ERP has not decided when there is no time left
   */
  async queryUntilKnown(
    call: ErpCall,
    groups: readonly PostingGroup[],
    outcomes: readonly (PostOutcome | AcceptedOutcome)[],
    recordAccepted: (accepted: readonly AcceptedGroup[]) => Promise<void>,
  ): Promise<readonly PostOutcome[]> {
    const known = [...outcomes];
    const open = () =>
      known.flatMap((outcome, index) => {
        const group = groups[index];
        return isDecided(outcome) || group === undefined ? [] : [{ ...group, index, handle: outcome.handle }];
      });
    if (this.isOutcomeLater && open().length > 0) {
      await recordAccepted(open());
      let failures = 0;
      for (let pauseMs = FIRST_PAUSE_MS; open().length > 0; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
        if (failures >= MAX_FAILURES || !(await this.pause(call, pauseMs))) {
          break;
        }
        const queried = open();
        const current = await this.queryOutcomes(call, queried);
        failures = current === undefined ? failures + 1 : 0;
        queried.forEach(({ index, handle }, place) => {
          known[index] = current?.[place] ?? { outcome: 'accepted', handle };
        });
      }
    }
    return known.map((outcome) => (isDecided(outcome) ? outcome : { outcome: 'unknown', failure: NOT_DECIDED_YET }));
  }

  /** @returns undefined when the query failed, which has no effect */
  private async queryOutcomes(
    call: ErpCall,
    accepted: readonly AcceptedGroup[],
  ): Promise<readonly (PostOutcome | AcceptedOutcome)[] | undefined> {
    try {
      return await this.ledger.outcomesOf?.(call, accepted);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return undefined;
      }
      throw error;
    }
  }

  /** @returns false when there is no time left or the caller has stopped: accepted groups are in doubt then */
  private async pause({ deadline, signal }: ErpCall, milliseconds: number): Promise<boolean> {
    if (signal.aborted || this.clock.now().getTime() + milliseconds >= deadline.getTime()) {
      return false;
    }
    return this.clock.sleep(milliseconds, signal).then(
      () => true,
      () => false,
    );
  }
}

export function isDecided(outcome: PostOutcome | AcceptedOutcome): outcome is PostOutcome {
  return outcome.outcome !== 'accepted';
}
