import { prepared, sql } from '../../foundation/database/sql.js';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Clock } from '../../kernel/clock.js';
import { BudgetExhausted, RequestBudget, InteractiveShareExhausted, type Requester } from './request-budget.js';

/** Share of a minute's requests that may be made at once; the rest comes evenly, so that no minute has more than all. */
const BURST_SHARE = 0.2;
/** Longest queue in front of a request; a caller that would wait longer plans again. */
const MAX_WAIT_SECONDS = 30;
/** Of the budget, what requests for people may take at most: exports have the other half to themselves. */
const INTERACTIVE_SHARE = 0.5;
/** What long exports may take at most: the requests of short ones then find a free slot at once. */
const LONG_EXPORTS_SHARE = 0.75;
/** Slots that are booked at a time where more requests follow: a statement a request would queue on one row. */
const PORTION = 5;
/** The same of a long export, which has many more to make. */
const LONG_EXPORT_PORTION = 10;
/** Milliseconds from one booking to the next within which more requests are taken to follow. */
const RUSH_MS = 100;
/** Requests that arrive at the same moment and are booked together, at most. */
const MAX_GROUP = 10;
/** Milliseconds for which a booked slot may be used. The platform counts by the minute. */
const SLOT_LIFE_MS = 2_000;
/** A person waits for the response. */
const INTERACTIVE_MAX_WAIT_SECONDS = 10;

/** A row of the table: how far ahead its requests are booked, and what decides how far they may be. */
interface Queue {
  readonly key: string;
  /** Between two requests when the burst is used up. */
  readonly spacingSeconds: number;
  readonly burstSeconds: number;
  readonly longestWaitSeconds: number;
}

/** Requests that are booked by one statement. */
interface Group {
  size: number;
  /** Seconds until the first of them may be made; undefined: there is no slot soon enough. */
  readonly wait: Promise<number | undefined>;
}

/**
 * One budget for all processes that use the same platform client, kept in the database and on its clock: each request
 * books the next free moment (generic cell rate algorithm). A burst of one tenant therefore delays the others by the few
 * requests it has under way, not by all it will make. Requests for people and of long exports pass a narrower queue of their
 * own first, so that those who wait there hold no slot in the common one. Long exports, and all others in a rush, book several
 * slots at a time.
 */
export class SharedRequestBudget extends RequestBudget {
  private readonly common: Queue;
  private readonly longExports: Queue;
  private readonly interactive: Queue;
  /** Of long exports. */
  private slots: BookedSlots;
  private booking: Promise<boolean> | undefined;
  /** Of all others. */
  private spareSlots: BookedSlots;
  /** Of all but long exports: what the next booking is for. */
  private group: Group | undefined;
  private lastBooking: Promise<unknown> = Promise.resolve();
  /** When slots were last booked that could be used at once, in monotonic milliseconds. */
  private lastFreeBookingAt = -Infinity;

  /** @param perMinute most requests in any minute (P0.5 recommends 500) */
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly clock: Clock,
    { clientId, perMinute }: { readonly clientId: string; readonly perMinute: number },
  ) {
    super();
    this.slots = new BookedSlots(clock);
    this.spareSlots = new BookedSlots(clock);
    this.common = queue(clientId, perMinute, MAX_WAIT_SECONDS);
    this.longExports = queue(`${clientId} for long exports`, perMinute * LONG_EXPORTS_SHARE, MAX_WAIT_SECONDS);
    this.interactive = queue(`${clientId} for people`, perMinute * INTERACTIVE_SHARE, INTERACTIVE_MAX_WAIT_SECONDS);
  }

  override async acquire(requester: Requester): Promise<void> {
    if (requester === 'people' && !(await this.waitInQueue(this.interactive))) {
      throw new InteractiveShareExhausted(
        'people ask the platform for more than their share',
        INTERACTIVE_MAX_WAIT_SECONDS,
      );
    }
    const hasSlot = requester === 'long-exports' ? await this.takeOfPortion() : await this.takeInGroup();
    if (!hasSlot) {
      const wait = MAX_WAIT_SECONDS.toString();
      throw new BudgetExhausted(`the platform's request budget is booked out for the next ${wait} s`);
    }
  }

  override async pause(milliseconds: number): Promise<void> {
    this.slots = new BookedSlots(this.clock);
    this.spareSlots = new BookedSlots(this.clock);
    const { key, burstSeconds } = this.common;
    const seconds = Math.min(milliseconds / 1_000, MAX_WAIT_SECONDS) + burstSeconds;
    await this.tenantDatabase.inOneStatement(
      'hold requests back',
      sql`
        UPDATE request_budget
        SET booked_until = greatest(booked_until, clock_timestamp() + make_interval(secs => ${seconds}))
        WHERE client_id = ${key}`,
    );
  }

  /** What comes while a booking is under way is booked together by the next one. @returns false when there is no slot soon enough */
  private async takeInGroup(): Promise<boolean> {
    if (await this.waitForSlot(this.spareSlots)) {
      return true;
    }
    const group = this.group ?? this.newGroup();
    const index = group.size;
    group.size += 1;
    if (group.size === MAX_GROUP) {
      this.group = undefined;
    }
    const first = await group.wait;
    const { spacingSeconds, longestWaitSeconds } = this.common;
    const wait = first === undefined ? Infinity : first + index * spacingSeconds;
    // A group is booked by its first slot; those behind it wait no longer than alone.
    if (wait > longestWaitSeconds + spacingSeconds) {
      return false;
    }
    if (wait > 0) {
      await this.clock.sleep(wait * 1_000);
    }
    return true;
  }

  private newGroup(): Group {
    const before = this.lastBooking;
    const bookWhenDone = async () => {
      await before.catch(() => undefined);
      if (this.group === group) {
        this.group = undefined;
      }
      return this.bookGroup(group.size);
    };
    const group: Group = { size: 0, wait: Promise.resolve().then(bookWhenDone) };
    this.group = group;
    this.lastBooking = group.wait;
    return group;
  }

  /** In a rush with a few slots more, for those who come next. @returns seconds until the first slot */
  private async bookGroup(size: number): Promise<number | undefined> {
    const isRush = this.clock.monotonicMs() - this.lastFreeBookingAt < RUSH_MS;
    const spare = isRush ? PORTION : 0;
    const first = await this.book(this.common, size + spare);
    // Where requests wait already, a slot that is not used in the end would be missed.
    this.lastFreeBookingAt = first !== undefined && first <= 0 ? this.clock.monotonicMs() : -Infinity;
    if (first !== undefined) {
      const { spacingSeconds } = this.common;
      this.spareSlots.add(spare, first + size * spacingSeconds, spacingSeconds);
    }
    return first;
  }

  /** @returns false when there is none soon enough */
  private async takeOfPortion(): Promise<boolean> {
    for (;;) {
      if (await this.waitForSlot(this.slots)) {
        return true;
      }
      this.booking ??= this.bookPortion().finally(() => {
        this.booking = undefined;
      });
      if (!(await this.booking)) {
        return false;
      }
    }
  }

  /** @returns false when none is booked */
  private async waitForSlot(slots: BookedSlots): Promise<boolean> {
    const wait = slots.take();
    if (wait !== undefined && wait > 0) {
      await this.clock.sleep(wait);
    }
    return wait !== undefined;
  }

  /** Slots in the common queue are booked once the first in the narrower one may be used. */
  private async bookPortion(): Promise<boolean> {
    if (!(await this.waitInQueue(this.longExports, LONG_EXPORT_PORTION))) {
      return false;
    }
    const { spacingSeconds } = this.common;
    const wait = await this.book(this.common, LONG_EXPORT_PORTION);
    if (wait === undefined) {
      return false;
    }
    this.slots.add(LONG_EXPORT_PORTION, wait, spacingSeconds);
    return true;
  }

  /** Books slots and waits for the first. @returns false when there is none soon enough */
  private async waitInQueue(queue: Queue, slots = 1): Promise<boolean> {
    const wait = await this.book(queue, slots);
    if (wait !== undefined && wait > 0) {
      await this.clock.sleep(wait * 1_000);
    }
    return wait !== undefined;
  }

  /** @returns seconds until the first of the slots, negative where it is free already; undefined when there is none soon enough */
  private async book(
    { key, spacingSeconds, burstSeconds, longestWaitSeconds }: Queue,
    slots: number,
  ): Promise<number | undefined> {
    const seconds = slots * spacingSeconds;
    const [last] = await this.tenantDatabase.inOneStatement<{ readonly wait: number }>(
      'take request',
      prepared(sql`
        INSERT INTO request_budget AS budget (client_id, booked_until)
        VALUES (${key}, clock_timestamp() + make_interval(secs => ${seconds}))
        ON CONFLICT (client_id) DO UPDATE
          SET booked_until = greatest(budget.booked_until, clock_timestamp()) + make_interval(secs => ${seconds})
          WHERE budget.booked_until < clock_timestamp() + make_interval(secs => ${burstSeconds + longestWaitSeconds})
        -- Its commit waits for no disk: what a crash of the database forgets is a moment of bookings.
        RETURNING extract(epoch FROM booked_until - clock_timestamp())::float8 - ${burstSeconds}::float8 AS wait,
          set_config('synchronous_commit', 'off', true)`),
    );
    return last && last.wait - (slots - 1) * spacingSeconds;
  }
}

/** Booked and not used: when each may be used, in monotonic milliseconds. */
class BookedSlots {
  private slots: number[] = [];

  constructor(private readonly clock: Clock) {}

  /** @param first seconds from now to the first; the others follow `spacing` seconds apart */
  add(count: number, first: number, spacing: number): void {
    const now = this.clock.monotonicMs();
    for (let index = 0; index < count; index += 1) {
      this.slots.push(now + Math.max(first + index * spacing, 0) * 1_000);
    }
  }

  /** @returns milliseconds until the next one may be used; undefined when there is none */
  take(): number | undefined {
    const now = this.clock.monotonicMs();
    this.slots = this.slots.filter((slot) => slot > now - SLOT_LIFE_MS);
    const slot = this.slots.shift();
    return slot === undefined ? undefined : Math.max(slot - now, 0);
  }
}

function queue(key: string, perMinute: number, longestWaitSeconds: number): Queue {
  const spacingSeconds = 60 / (perMinute * (1 - BURST_SHARE));
  return { key, spacingSeconds, burstSeconds: perMinute * BURST_SHARE * spacingSeconds, longestWaitSeconds };
}
