import { demoId } from './items/demo-id.js';

/** A vendor as the ledger has it. */
interface LedgerVendor {
  readonly number: string;
  readonly externalId: string;
  readonly name: string;
  readonly country: string;
  readonly registrationNumber?: string;
  readonly taxRegistrationNumber?: string;
  readonly payableAccountCode?: string;
  readonly defaultCurrency: string;
  readonly isEmployee?: boolean;
  readonly blocked?: boolean;
  readonly archived?: boolean;
}

const LEDGER = {
  printer: {
    ...vendor(1, 'Paberi ja Tindi Trükikoda OÜ', 'EE', 'EUR'),
    registrationNumber: '14310877',
    taxRegistrationNumber: 'EE 102 118 843',
  },
  illustrator: { ...vendor(2, 'Tegnestuen Brandt ApS', 'DK', 'EUR'), payableAccountCode: '2115' },
  landlord: { ...vendor(3, 'Kalasadama Kinnisvara OÜ', 'EE', 'EUR'), registrationNumber: '12078331' },
  hosting: {
    ...vendor(4, 'Northbeam Cloud Ltd', 'IE', 'USD'),
    taxRegistrationNumber: 'IE 4417702 KH',
  },
  packaging: { ...vendor(5, 'Hakoya Kogei KK', 'JP', 'JPY'), payableAccountCode: '2115' },
  fonts: vendor(6, 'Fjällbokstav AB', 'SE', 'EUR'),
  fair: { ...vendor(7, 'Balti Disainimess AS', 'EE', 'EUR'), blocked: true },
  telecom: { ...vendor(8, 'Saarte Side AS', 'EE', 'EUR'), registrationNumber: '10993405' },
  joonas: {
    ...vendor(9, 'Joonas Tamm', 'EE', 'EUR'),
    payableAccountCode: '2116',
    isEmployee: true,
  },
  courier: { ...vendor(10, 'Vana Linna Kuller OÜ', 'EE', 'EUR'), archived: true },
} satisfies Record<string, LedgerVendor>;

export const demoVendors: readonly LedgerVendor[] = Object.values(LEDGER);

/** A vendor as the platform's users chose it for an entry; the platform seldom knows all of its numbers. */
export interface PlatformVendor {
  readonly id: string;
  readonly name: string;
  readonly defaultCurrency: string;
  readonly code?: string;
  readonly externalId?: string;
  readonly country?: string;
  readonly taxRegistrationNumber?: string;
}

const { printer, illustrator, landlord, packaging, fonts, fair, telecom, joonas } = LEDGER;

/** Each is recognized by what it has: number, external id, tax number, or name and country. */
export const platformVendors = {
  printer: { ...chosen(1, printer.name), code: printer.number },
  illustrator: { ...chosen(2, 'Brandt (illustration)'), externalId: illustrator.externalId },
  landlord: { ...chosen(3, landlord.name), code: landlord.number, externalId: landlord.externalId },
  hosting: { ...chosen(4, 'Northbeam', 'USD'), country: 'IE', taxRegistrationNumber: 'IE4417702KH' },
  packaging: { ...chosen(5, packaging.name, 'JPY'), code: packaging.number },
  fonts: { ...chosen(6, 'FJÄLLBOKSTAV  AB'), country: fonts.country },
  fair: { ...chosen(7, fair.name), code: fair.number },
  telecom: { ...chosen(8, telecom.name), code: telecom.number },
  joonas: { ...chosen(9, joonas.name), code: joonas.number },
  /** Not in the ledger yet: the first entry creates it. */
  animator: { ...chosen(11, 'Studija Lumen SIA'), country: 'LV', taxRegistrationNumber: 'LV40203177455' },
} satisfies Record<string, PlatformVendor>;

/** The vendors of the platform before the company is connected: users have proposed the one that the ledger does not have. */
export const demoPlatformVendors = Object.values<PlatformVendor>(platformVendors).map((vendor) => ({
  ...vendor,
  state: vendor === platformVendors.animator ? 'DRAFT' : 'ACTIVE',
}));

export type VendorName = keyof typeof platformVendors;

function vendor(number: number, name: string, country: string, defaultCurrency: string) {
  const digits = number.toString().padStart(5, '0');
  return { number: `V-${digits}`, externalId: `vendor-${digits}`, name, country, defaultCurrency };
}

function chosen(number: number, name: string, defaultCurrency = 'EUR') {
  return { id: demoId('vendor', number), name, defaultCurrency };
}
