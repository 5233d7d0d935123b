import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { counted, isMatched } from './domain/switch-plan.js';
import { FailureSwitchRepository, type FailureSwitch, type NewFailureSwitch } from './failure-switch.repository.js';
import { seededShare } from './seeded-share.js';

/** The switches in memory, because every request needs them; the database keeps them over a restart. */
@Injectable()
export class FailureSwitches {
  private switches: readonly FailureSwitch[] = [];

  constructor(
    private readonly failureSwitchRepository: FailureSwitchRepository,
    private readonly database: Database,
  ) {}

  async load(): Promise<void> {
    this.switches = await this.database.inTransaction('load failures', (tx) =>
      this.failureSwitchRepository.findAll(tx),
    );
  }

  all(): readonly FailureSwitch[] {
    return this.switches;
  }

  /** @param replacing removes the existing switches first */
  async add(fresh: readonly NewFailureSwitch[], replacing = false): Promise<readonly FailureSwitch[]> {
    const added = await this.database.inTransaction('add failures', async (tx) => {
      if (replacing) {
        await this.failureSwitchRepository.remove(tx, undefined);
      }
      const stored: FailureSwitch[] = [];
      for (const one of fresh) {
        stored.push(await this.failureSwitchRepository.add(tx, one));
      }
      return stored;
    });
    this.switches = replacing ? added : [...this.switches, ...added];
    return added;
  }

  /** @param id unset: all */
  async remove(id?: number): Promise<void> {
    await this.database.inTransaction('remove failure', (tx) => this.failureSwitchRepository.remove(tx, id));
    this.switches = id === undefined ? [] : this.switches.filter((one) => one.id !== id);
  }

  /** The oldest switch that applies to a request, counted as a hit; the older matching ones count it as seen. */
  async match(method: string, path: string): Promise<FailureSwitch | undefined> {
    const matching = this.switches.filter((one) => one.timesLeft !== 0 && matches(one, method, path));
    const hitAt = matching.findIndex((one) => isMatched(one, shareOf(one)));
    const touched = hitAt === -1 ? matching : matching.slice(0, hitAt + 1);
    if (touched.length === 0) {
      return undefined;
    }
    const hit = matching[hitAt];
    const ids = new Set(touched.map(({ id }) => id));
    // In memory first: two requests at the same moment must not both use the last time.
    this.switches = this.switches.map((one) => (ids.has(one.id) ? counted(one, one.id === hit?.id) : one));
    await this.database.inTransaction('count failures', async (tx) => {
      for (const { id } of touched) {
        await this.failureSwitchRepository.count(tx, id, id === hit?.id);
      }
    });
    return hit;
  }
}

function shareOf({ seed, seen, path }: FailureSwitch): number {
  return seededShare(seed, `failure switch ${path} ${seen.toString()}`);
}

function matches(one: FailureSwitch, method: string, path: string): boolean {
  const pattern = one.path.split('/');
  const segments = path.split('/');
  return (
    (one.method === null || one.method === method) &&
    pattern.length === segments.length &&
    pattern.every((segment, index) => segment === '*' || segment === segments[index])
  );
}
