// The platform's reference data as it is mapped now, with how much it is used.
import { Injectable } from '@nestjs/common';
import { RecentLists } from '../../foundation/process/recent-lists.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { cutText, foldedText } from '../../kernel/text.js';
import { tagKeyOf } from '../bookkeeping/accounts/rule-index.js';
import { ErpConnections } from '../erp/erp-connections.js';
import type { UseKind } from '../exports/domain/search/search-lines.js';
import { CodeUseReader, type UseOfCode } from '../exports/lists/code-use.reader.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { NO_SETTINGS } from '../mapping/domain/setup.js';
import { targetsIn } from '../mapping/domain/targets.js';
import {
  mappingOf,
  REFERENCE_STATES,
  rulesByKey,
  type PlatformReference,
  type ReferenceMapping,
  type ReferenceState,
} from './domain/reference-state.js';
import { PlatformReferences } from './platform-references.js';

export interface ReferenceView extends PlatformReference, ReferenceMapping {
  /** Undefined: no export has named it. */
  readonly use: UseOfCode | undefined;
}

interface SearchableReference {
  readonly view: ReferenceView;
  readonly words: string;
}

export const REFERENCE_SORTS = ['state', 'code', 'name', '-entries', '-lastUsed'] as const;

export interface ReferenceFilter {
  /** Words that are all part of code, name or group, or of what it is mapped to. */
  readonly search?: string | undefined;
  readonly state?: ReferenceState | undefined;
  readonly active?: boolean | undefined;
  readonly sort: (typeof REFERENCE_SORTS)[number];
}

/** Where a row stands in its list, by all that the orders look at: the row itself may have left the list when the next page is read. */
export interface ReferencePosition {
  readonly id: string;
  readonly rank: number;
  readonly entries: number;
  /** Day of the newest entry; empty: none. */
  readonly lastDay: string;
  readonly group: string;
  readonly code: string;
  readonly name: string;
}

export interface ReferencePage {
  readonly rows: readonly ReferenceView[];
  readonly total: number;
  /** By state, of the whole list. */
  readonly counts: Readonly<Record<ReferenceState, number>>;
  readonly usedSince: Date;
}

/** Uses are counted over so many days. */
const USE_DAYS = 90;
const DAY_MS = 86_400_000;

@Injectable()
export class ListReferences {
  private readonly recent: RecentLists<SearchableReference>;

  constructor(
    private readonly installationReader: InstallationReader,
    private readonly mappingReader: MappingReader,
    private readonly erpConnections: ErpConnections,
    private readonly platformReferences: PlatformReferences,
    private readonly codeUseReader: CodeUseReader,
    private readonly clock: Clock,
  ) {
    this.recent = new RecentLists(clock);
  }

  /**
   * @param after position of the last row of the page before; undefined for the first page
   * @returns undefined while no ERP company is linked, or the linked one is gone
   * @throws ErpUnavailable, and what asking the platform throws
   */
  async list(
    installationId: InstallationId,
    kind: UseKind,
    { search = '', state, active, sort }: ReferenceFilter,
    { after, limit }: { readonly after: ReferencePosition | undefined; readonly limit: number },
  ): Promise<ReferencePage | undefined> {
    const usedSince = new Date(Math.floor(this.clock.now().getTime() / DAY_MS - USE_DAYS) * DAY_MS);
    const all = await this.load(installationId, kind, usedSince);
    if (all === undefined) {
      return undefined;
    }
    const parts = foldedText(search).split(' ');
    const found = all
      .filter(
        ({ view, words }) =>
          (state === undefined || view.state === state) &&
          (active === undefined || view.active === active) &&
          parts.every((part) => words.includes(part)),
      )
      .map(({ view }) => ({ view, position: positionOf(view) }))
      .toSorted((one, other) => ORDERS[sort](one.position, other.position));
    const rest = after === undefined ? found : found.filter(({ position }) => ORDERS[sort](position, after) > 0);
    const counts = Object.fromEntries(
      REFERENCE_STATES.map((each) => [each, all.filter(({ view }) => view.state === each && view.active).length]),
    ) as Record<ReferenceState, number>;
    return { rows: rest.slice(0, limit).map(({ view }) => view), total: found.length, counts, usedSince };
  }

  private async load(
    installationId: InstallationId,
    kind: UseKind,
    usedSince: Date,
  ): Promise<readonly SearchableReference[] | undefined> {
    const company = (await this.installationReader.find(installationId))?.erpCompanyId;
    const version = (await this.mappingReader.latestSettings(installationId))?.version ?? 0;
    if (company === undefined) {
      return undefined;
    }
    const key = `${installationId} ${kind} ${company} ${version.toString()}`;
    return this.recent.get(key, async () => {
      const mapping = await this.mappingReader.latestVersion(installationId);
      const erp = await this.erpConnections.open(installationId, company);
      const books = await erp.loadMasterData();
      if (books === undefined) {
        return undefined;
      }
      const dimensions = kind === 'tags' ? ((await erp.dimensions()) ?? []) : [];
      const scope = {
        context: targetsIn(books, mapping?.settings ?? NO_SETTINGS).context,
        rulesByKey: rulesByKey(kind, mapping?.rules ?? []),
        valueNames: new Map(
          dimensions.flatMap(({ code: groupCode, values }) =>
            values.map(({ code, name }) => [tagKeyOf({ groupCode, code }), name] as const),
          ),
        ),
      };
      const uses = await this.codeUseReader.uses(installationId, kind, usedSince);
      return (await this.platformReferences.list(installationId, kind)).map((reference) => {
        const view = { ...reference, ...mappingOf(kind, reference, scope), use: uses.get(reference.id) };
        const { code, name, groupCode, groupName, target } = view;
        const words = [code, name, groupCode, groupName, target?.code, target?.name];
        return { view, words: foldedText(words.filter((word) => word != null).join(' ')) };
      });
    });
  }
}

/** A position has to fit into an address. Ids tell apart what is cut to the same. */
const MAX_TEXT = 100;

/** What is archived comes last where states decide: it needs no mapping. */
export function positionOf({ id, active, state, use, groupCode, code, name }: ReferenceView): ReferencePosition {
  const cut = (text: string | null | undefined) => cutText(text ?? '', MAX_TEXT);
  return {
    id,
    rank: active ? REFERENCE_STATES.indexOf(state) : REFERENCE_STATES.length,
    entries: use?.entries ?? 0,
    lastDay: use?.lastDay ?? '',
    group: cut(groupCode),
    code: cut(code),
    name: cut(name),
  };
}

type Order = (one: ReferencePosition, other: ReferencePosition) => number;

const { compare } = new Intl.Collator('en', { numeric: true });
const byCode: Order = (one, other) =>
  compare(one.group, other.group) ||
  compare(one.code, other.code) ||
  compare(one.name, other.name) ||
  (one.id === other.id ? 0 : one.id < other.id ? -1 : 1);
const byUse: Order = (one, other) => other.entries - one.entries || byCode(one, other);

const ORDERS: Readonly<Record<ReferenceFilter['sort'], Order>> = {
  state: (one, other) => one.rank - other.rank || byUse(one, other),
  code: byCode,
  name: (one, other) => compare(one.name, other.name) || byCode(one, other),
  '-entries': byUse,
  '-lastUsed': (one, other) =>
    one.lastDay === other.lastDay ? byUse(one, other) : one.lastDay > other.lastDay ? -1 : 1,
};
