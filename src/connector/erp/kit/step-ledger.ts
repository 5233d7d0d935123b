// The port for posting through the step machine: an adapter says how its drafts are made and how records are read.
import type { Clock } from '../../../kernel/clock.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ErpCall } from '../erp-call.js';
import type { InspectedGroup, ListedGroups } from '../erp-books.js';
import {
  ErpLedger,
  ErpUnavailable,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type ReverseOutcome,
} from '../erp-ledger.js';
import { StepMachine, type Attempt, type AttemptResult, type Steps } from './step-machine.js';
import {
  groupsOf,
  inspectedOf,
  isStanding,
  listedOf,
  postedOf,
  type RecordGroup,
  type ShownEntry,
  type StepRecord,
} from './step-records.js';

/** The drafts of one group, or why the ERP would not take it: a sentence for a bookkeeper. */
export type Drafts<Draft> = { readonly drafts: readonly Draft[] } | { readonly refused: string };

/** Both days included. */
export interface Days {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** What a `StepLedger` needs of its ERP. */
export interface LedgerSteps<Draft, Found extends StepRecord> extends Steps<Draft, Found> {
  /** @returns for each group, in their order. @throws ErpUnavailable */
  drafts(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly Drafts<Draft>[]>;

  /**
   * @param records of each key those that nothing reverses yet
   * @returns for each key, in their order. @throws ErpUnavailable
   */
  reversals(call: ErpCall, records: readonly (readonly Found[])[]): Promise<readonly Drafts<Draft>[]>;

  /** @returns what each of these records shows. @throws ErpUnavailable */
  show(call: ErpCall, records: readonly Found[]): Promise<(record: Found) => ShownEntry>;

  /**
   * One page of the records that are dated in a period, in an order that does not change between pages.
   * @param after `next` of the page before
   * @returns ids of all that are on the page, keys of those that were written from here
   * @throws ErpUnavailable
   */
  page(
    call: ErpCall,
    days: Days,
    after: string | undefined,
  ): Promise<{ readonly ids: readonly string[]; readonly keys: readonly string[]; readonly next: string | undefined }>;
}

const TAKEN: ErpFailure = { kind: 'server-error', message: 'the accounting system has an entry with this key already' };

type Prepared<Draft, Found> = Attempt<Draft, Found> | { readonly key: string; readonly refused: string };

export abstract class StepLedger<Draft, Found extends StepRecord> extends ErpLedger {
  private readonly machine: StepMachine<Draft, Found>;

  constructor(
    private readonly steps: LedgerSteps<Draft, Found>,
    clock: Clock,
  ) {
    super();
    this.machine = new StepMachine(steps, clock);
  }

  override async post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    try {
      return await this.tryPost(call, groups);
    } catch (error) {
      const failure = failureOf(error);
      return groups.map(() => ({ outcome: 'not-sent', failure }));
    }
  }

  override async reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    try {
      return await this.tryReverse(call, keys);
    } catch (error) {
      const failure = failureOf(error);
      return keys.map(() => ({ outcome: 'unavailable', failure }));
    }
  }

  override async findPosted(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    const groups = groupsOf(await this.steps.find(call, keys));
    const newest = [...groups.values()].flatMap((revisions) => revisions.slice(-1));
    return new Map(newest.map((group) => [group.key, postedOf(group)]));
  }

  override async inspect(
    call: ErpCall,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    const groups = [...groupsOf(await this.steps.find(call, keys)).values()].flat();
    const show = await this.shown(call, groups);
    const inspected = groups.map((group) => inspectedOf(group, show));
    return Map.groupBy(inspected, ({ key }) => key);
  }

  /** Pages go over records; a group is on the page of the first of its records that are dated in the period. */
  override async listGroups(call: ErpCall, days: Days, after: string | undefined): Promise<ListedGroups> {
    const { ids, keys, next } = await this.steps.page(call, days, after);
    const groups = [...groupsOf(await this.steps.find(call, [...new Set(keys)])).values()].flat();
    const show = await this.shown(call, groups);
    const listed = groups.flatMap((group) => {
      const dated = group.records.filter((record) => isDated(show(record), days));
      const [firstDated] = dated.toSorted((a, b) => a.order - b.order);
      const [first, ...others] = group.records.map(show);
      const isOnPage = firstDated !== undefined && ids.includes(firstDated.id);
      return isOnPage && first !== undefined ? [listedOf(group, [first, ...others])] : [];
    });
    return { groups: listed, next };
  }

  private shown(call: ErpCall, groups: readonly RecordGroup<Found>[]): Promise<(record: Found) => ShownEntry> {
    return this.steps.show(
      call,
      groups.flatMap(({ records }) => records),
    );
  }

  /** @throws ErpUnavailable before anything is committed */
  private async tryPost(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    if (groups.length === 0) {
      return [];
    }
    await this.machine.sweep(call);
    const drafts = await this.steps.drafts(call, groups);
    const found = await this.steps.find(
      call,
      groups.map(({ key }) => key),
    );
    const booked = groupsOf(found);
    const prepared = groups.map((group, index) =>
      prepare<Draft, Found>(group, booked.get(group.key) ?? [], drafts[index]),
    );
    const attempts = prepared.filter((each) => 'drafts' in each);
    const results = await this.machine.commit(call, attempts, found);
    const posted = await this.tryFind(
      call,
      attempts.filter((_, index) => results[index]?.kind === 'committed').map(({ key }) => key),
    );
    return prepared.map((each) =>
      'drafts' in each ? postOutcomeOf(results[attempts.indexOf(each)], each.key, posted) : each,
    );
  }

  private async tryFind(
    call: ErpCall,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup> | ErpFailure> {
    try {
      return keys.length === 0 ? new Map<string, PostedGroup>() : await this.findPosted(call, keys);
    } catch (error) {
      return failureOf(error);
    }
  }

  /** @throws ErpUnavailable */
  private async tryReverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    const found = await this.steps.find(call, keys);
    const groups = groupsOf(found);
    const standing = [...groups.values()]
      .map((revisions) => revisions.flatMap(({ records }) => records.filter(({ reversed }) => !reversed)))
      .filter((records) => records.length > 0);
    const drafts = standing.length === 0 ? [] : await this.steps.reversals(call, standing);
    const prepared = standing.map((records, index): Prepared<Draft, Found> => {
      const key = records[0]?.key ?? '';
      const isRival = ({ reverses }: Found) => records.some(({ id }) => id === reverses);
      return { key, isRival, ...(drafts[index] ?? { refused: TAKEN.message }) };
    });
    const attempts = prepared.filter((each) => 'drafts' in each);
    const results = await this.machine.commit(call, attempts, found);
    const outcomes = new Map<string, ReverseOutcome>([...groups.keys()].map((key) => [key, { outcome: 'reversed' }]));
    for (const each of prepared) {
      outcomes.set(
        each.key,
        'drafts' in each
          ? reverseOutcomeOf(results[attempts.indexOf(each)])
          : { outcome: 'refused', message: each.refused },
      );
    }
    return keys.map((key) => outcomes.get(key) ?? { outcome: 'absent' });
  }
}

function isDated({ postingDate }: ShownEntry, { from, to }: Days): boolean {
  return from <= postingDate && postingDate <= to;
}

/** @throws what is no failure of the ERP */
export function failureOf(error: unknown): ErpFailure {
  if (error instanceof ErpUnavailable) {
    return error.failure;
  }
  throw error;
}

function prepare<Draft, Found extends StepRecord>(
  { key, revision }: PostingGroup,
  booked: readonly RecordGroup<Found>[],
  drafts: Drafts<Draft> = { refused: TAKEN.message },
): Attempt<Draft, Found> | PostOutcome {
  const newest = booked.at(-1);
  if (newest !== undefined && newest.revision >= revision) {
    return { outcome: 'unknown', failure: TAKEN };
  }
  const standing = booked.find(isStanding);
  if (standing !== undefined) {
    const message = `Revision ${standing.revision.toString()} of this entry is in the books of the accounting system.`;
    return { outcome: 'refused', message };
  }
  if ('refused' in drafts) {
    return { outcome: 'refused', message: drafts.refused };
  }
  return {
    key,
    drafts: drafts.drafts,
    isRival: (record) => record.reverses === undefined && !(record.reversed && record.revision < revision),
  };
}

function postOutcomeOf(
  result: AttemptResult | undefined,
  key: string,
  posted: ReadonlyMap<string, PostedGroup> | ErpFailure,
): PostOutcome {
  switch (result?.kind) {
    case 'refused':
      return { outcome: 'refused', message: result.message };
    case 'not-sent':
    case 'unknown':
      return { outcome: result.kind, failure: result.failure };
    case 'committed':
    case undefined: {
      const found = 'kind' in posted ? undefined : posted.get(key);
      const failure = 'kind' in posted ? posted : TAKEN;
      return found === undefined ? { outcome: 'unknown', failure } : { outcome: 'created', posted: found };
    }
  }
}

function reverseOutcomeOf(result: AttemptResult | undefined): ReverseOutcome {
  switch (result?.kind) {
    case 'committed':
    case undefined:
      return { outcome: 'reversed' };
    case 'refused':
      return { outcome: 'refused', message: result.message };
    case 'not-sent':
    case 'unknown':
      return { outcome: 'unavailable', failure: result.failure };
  }
}
