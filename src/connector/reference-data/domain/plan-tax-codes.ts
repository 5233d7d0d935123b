// Tax codes, ERP → platform. The platform's record has no key but its `code`, and nothing keeps two from having the same
// one (P5): one is kept, the others are archived.
import type { MasterTaxCode } from '../../bookkeeping/item/master-data.js';
import {
  compareText,
  keyProblem,
  platformName,
  type PlannedChange,
  type SyncPlan,
  type SyncProblem,
} from './sync-plan.js';

export interface PlatformTaxCode {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  /** A share, as the wire has it: 0.25 is 25 %. */
  readonly rate: number;
  readonly type: string;
  readonly archived: boolean;
  readonly ingoingTaxAccount: string | null;
  readonly outgoingTaxAccount: string | null;
}

export type TaxCodeContent = Omit<PlatformTaxCode, 'id'>;

export type TaxCodeStep = PlannedChange &
  (
    | { readonly action: 'create'; readonly content: TaxCodeContent }
    | {
        readonly action: 'update' | 'archive' | 'unarchive';
        readonly id: string;
        readonly content: TaxCodeContent;
      }
  );

/** The ERP does not say what kind a tax code is, and this is the common one; a person may correct it on the platform. */
const USUAL_TYPE = 'inclusive';

/** @returns archives first, creates last */
export function planTaxCodes(
  erp: readonly MasterTaxCode[],
  platform: readonly PlatformTaxCode[],
): SyncPlan<TaxCodeStep> {
  const { wanted, problems } = wantedTaxCodes(erp);
  const byCode = Map.groupBy(platform, ({ code }) => code ?? '');
  const kept = new Set<string>();
  const changes: TaxCodeStep[] = [];
  const creates: TaxCodeStep[] = [];
  for (const taxCode of wanted.values()) {
    const found = preferredOf(byCode.get(taxCode.code) ?? [], taxCode);
    const content = contentOf(taxCode, found);
    if (found === undefined) {
      const { code: key } = taxCode;
      creates.push({ subject: 'tax-code', action: 'create', key, name: content.name, content });
      continue;
    }
    kept.add(found.id);
    if (found.archived || isDifferent(found, content)) {
      changes.push(change(found.archived ? 'unarchive' : 'update', found, content));
    }
  }
  const archives = platform
    .filter(({ id, archived }) => !archived && !kept.has(id))
    .map(({ id, ...content }) => change('archive', { id, ...content }, { ...content, archived: true }));
  return { steps: [...archives, ...changes, ...creates], problems };
}

function wantedTaxCodes(erp: readonly MasterTaxCode[]): {
  readonly wanted: ReadonlyMap<string, MasterTaxCode>;
  readonly problems: SyncProblem[];
} {
  const wanted = new Map<string, MasterTaxCode>();
  const problems: SyncProblem[] = [];
  for (const taxCode of erp
    .filter(({ active }) => active)
    .toSorted((a, b) => compareText(a.code, b.code) || compareText(a.name, b.name))) {
    const detail = problemOf(taxCode, wanted);
    if (detail === undefined) {
      wanted.set(taxCode.code, taxCode);
    } else {
      problems.push({ subject: 'tax-code', key: taxCode.code, name: taxCode.name, detail });
    }
  }
  return { wanted, problems };
}

function problemOf({ code, rate }: MasterTaxCode, wanted: ReadonlyMap<string, MasterTaxCode>): string | undefined {
  if (wanted.has(code)) {
    return 'Several active tax codes of the accounting system have this code; only the first is synced.';
  }
  const share = Number(rate);
  if (rate.trim() === '' || !(share >= 0 && share <= 1)) {
    return `Its rate ${rate} is no share between 0 and 1: correct it in the accounting system.`;
  }
  return keyProblem(code);
}

/** Of several with one code the one whose name is right, then an active one, then any, but always the same. */
function preferredOf(found: readonly PlatformTaxCode[], { name, code }: MasterTaxCode): PlatformTaxCode | undefined {
  const wantedName = platformName(name, code);
  const rank = (taxCode: PlatformTaxCode) => (taxCode.name === wantedName ? 0 : 2) + (taxCode.archived ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b) || compareText(a.id, b.id))[0];
}

/** A field without a value in the ERP keeps the platform's value. */
function contentOf(taxCode: MasterTaxCode, found: PlatformTaxCode | undefined): TaxCodeContent {
  const { code, name, rate, inputAccount, outputAccount } = taxCode;
  return {
    name: platformName(name, code),
    code,
    // The wire's number is a double, so two texts of one double are one rate.
    rate: Number(rate),
    // `exclusive` stands on the platform but is accepted from no client (P5).
    type: taxCode.type ?? (found?.type === 'reverse' ? 'reverse' : USUAL_TYPE),
    archived: false,
    ingoingTaxAccount: inputAccount ?? found?.ingoingTaxAccount ?? null,
    outgoingTaxAccount: outputAccount ?? found?.outgoingTaxAccount ?? null,
  };
}

function isDifferent(found: PlatformTaxCode, wanted: TaxCodeContent): boolean {
  return (
    found.name !== wanted.name ||
    found.rate !== wanted.rate ||
    found.type !== wanted.type ||
    found.ingoingTaxAccount !== wanted.ingoingTaxAccount ||
    found.outgoingTaxAccount !== wanted.outgoingTaxAccount
  );
}

function change(
  action: 'update' | 'archive' | 'unarchive',
  { id, code }: PlatformTaxCode,
  content: TaxCodeContent,
): TaxCodeStep {
  return { subject: 'tax-code', action, key: code ?? id, name: content.name, id, content };
}
