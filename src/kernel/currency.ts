declare const currencyBrand: unique symbol;

/** An ISO 4217 alphabetic code that this program knows the digits of. */
export type CurrencyCode = string & { readonly [currencyBrand]: true };

// ISO 4217 list one as of 2026-01-01, with the digits ISO gives (not the fewer ones some locales display).
// Codes withdrawn since 2016 stay, because old entries still carry them. Codes without a minor unit or without a
// country (metals, drawing rights, units of account, XTS, XXX) are not used for payments and are left out.
const CODES_BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
     CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
     IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
     MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP
     SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER
     ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const WITHDRAWN_CODES_BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BYR'],
  [2, 'ANG BGN CUC HRK MRO SLL STD VEF ZWL'],
];

const DIGITS: ReadonlyMap<string, number> = new Map(
  [...CODES_BY_DIGITS, ...WITHDRAWN_CODES_BY_DIGITS].flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, digits] as const),
  ),
);

/**
 * How many decimal digits the currency's minor unit has: EUR 2, JPY 0, KWD 3, CLF 4 (ISO 4217).
 *
 * @param code ISO 4217 code in upper case.
 * @returns undefined for anything that is not a currency of the table.
 */
export function currencyDigits(code: string): number | undefined {
  return DIGITS.get(code);
}

/** @returns the code itself when it is a currency of the table, in upper case as on the wire; otherwise undefined. */
export function parseCurrency(code: string): CurrencyCode | undefined {
  return isCurrency(code) ? code : undefined;
}

function isCurrency(code: string): code is CurrencyCode {
  return DIGITS.has(code);
}
