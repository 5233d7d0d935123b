// Countries of vendors: which the platform accepts (P6, P1.8), and which codes mean the same.

/** ISO 3166-1 alpha-2 as of 2026-01-01. */
const ISO_CODES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
  GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
  KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
  MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
  SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
  UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

/** Withdrawn, reserved and user-assigned ones that the platform has in its list. */
const LEGACY_CODES = 'AC AN BU CP CS DG EA EU EZ FX IC NT SF SU TA TP UK XI XU XK YU ZR';

const KNOWN: ReadonlySet<string> = new Set(`${ISO_CODES} ${LEGACY_CODES}`.trim().split(/\s+/));

/** Former codes with one certain successor. `EL` is how tax offices write Greece. */
const TODAY: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['XI', 'GB'],
  ['EL', 'GR'],
  ['BU', 'MM'],
  ['FX', 'FR'],
  ['SF', 'FI'],
  ['TP', 'TL'],
  ['ZR', 'CD'],
]);

/**
 * @returns the country's code of today, so that two codes of one country are equal; undefined for `UNDEFINED`, for no
 * code, and for one that neither ISO 3166 nor the platform knows
 */
export function countryOf(code: string | null | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  const today = TODAY.get(upper) ?? upper;
  return KNOWN.has(today) ? today : undefined;
}
