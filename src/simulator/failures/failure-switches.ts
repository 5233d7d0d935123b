import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { FailureSwitchRepository, type FailureSwitch } from './failure-switch.repository.js';

/** The switches in memory, because every request asks for them; the database keeps them over a restart. */
@Injectable()
export class FailureSwitches {
  private switches: readonly FailureSwitch[] = [];

  constructor(
    private readonly repository: FailureSwitchRepository,
    private readonly database: Database,
  ) {}

  async load(): Promise<void> {
    this.switches = await this.database.inTransaction('load failures', (tx) => this.repository.findAll(tx));
  }

  all(): readonly FailureSwitch[] {
    return this.switches;
  }

  async add(fresh: Omit<FailureSwitch, 'id' | 'hits'>): Promise<FailureSwitch> {
    const added = await this.database.inTransaction('add failure', (tx) => this.repository.add(tx, fresh));
    this.switches = [...this.switches, added];
    return added;
  }

  /** @param id unset: all */
  async remove(id?: number): Promise<void> {
    await this.database.inTransaction('remove failure', (tx) => this.repository.remove(tx, id));
    this.switches = id === undefined ? [] : this.switches.filter((one) => one.id !== id);
  }

  /** The oldest switch that a request meets, counted as met. */
  async meet(method: string, path: string): Promise<FailureSwitch | undefined> {
    const met = this.switches.find((one) => one.timesLeft !== 0 && matches(one, method, path));
    if (met === undefined) {
      return undefined;
    }
    // In memory first: two requests at the same moment must not both be the last one.
    const timesLeft = met.timesLeft === null ? null : met.timesLeft - 1;
    this.switches = this.switches.map((one) =>
      one.id === met.id ? { ...one, timesLeft, hits: one.hits + 1 } : one,
    );
    await this.database.inTransaction('count failure', (tx) => this.repository.countHit(tx, met.id));
    return met;
  }
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
