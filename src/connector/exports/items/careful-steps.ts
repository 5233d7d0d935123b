// Pure: how small the steps of a run are whose earlier workers have died, until the item that kills them is found (H18).
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';

type Deaths = Pick<CompanyLease, 'takeovers' | 'suspect' | 'suspectDeaths'>;

/** Workers that died in a row before a run goes carefully: one or two may have any cause. */
const DEATHS_BEFORE_CARE = 2;
const CAREFUL_STEP = 50;
const SMALL_STEP = 5;
/** Of the items from its beginning a run takes so many in the smallest steps: the worker before it died at one of them. */
const SMALL_STEP_ITEMS = CAREFUL_STEP;
/** Workers that died at an item that was worked on alone. */
const DEATHS_OF_PUT_ASIDE = 2;
/** Workers that died at an item that was put aside: even to look it up kills them. */
const DEATHS_OF_LOOK_UP = 2;

/** Each step then waits for the one before, and runs of one process for each other: a death has one cause. */
export function goesCarefully({ takeovers }: Deaths): boolean {
  return takeovers >= DEATHS_BEFORE_CARE;
}

/**
 * @param items that are left, at least one
 * @param done items that the run has taken so far
 * @returns the first of them; what was worked on when the last worker died is alone
 */
export function nextStep(items: readonly ChunkItem[], done: number, deaths: Deaths): readonly ChunkItem[] {
  const step = items.slice(0, stepSize(deaths, done));
  const suspectAt = step.findIndex(({ accountingEntryId }) => accountingEntryId === deaths.suspect);
  return suspectAt === -1 ? step : step.slice(0, Math.max(suspectAt, 1));
}

function stepSize({ takeovers }: Deaths, done: number): number {
  if (takeovers === DEATHS_BEFORE_CARE || done >= SMALL_STEP_ITEMS) {
    return CAREFUL_STEP;
  }
  return takeovers === DEATHS_BEFORE_CARE + 1 ? SMALL_STEP : 1;
}

/** The item that has to be put aside; it is alone in its step. */
export function itemToPutAside(items: readonly ChunkItem[], { suspect, suspectDeaths }: Deaths): ChunkItem | undefined {
  const [item, ...others] = items;
  const isIt = others.length === 0 && item?.accountingEntryId === suspect && suspectDeaths >= DEATHS_OF_PUT_ASIDE;
  return isIt ? item : undefined;
}

/** What the ERP has of the item that is put aside can be asked for. */
export function mayBeLookedUp({ suspectDeaths }: Deaths): boolean {
  return suspectDeaths < DEATHS_OF_PUT_ASIDE + DEATHS_OF_LOOK_UP;
}
