/** What a company is found by. */
interface Findable {
  readonly id: string;
  readonly name: string;
  readonly registrationNumber?: string | null | undefined;
}

/**
 * Companies whose name or registration number holds the text, in any case; the ones that begin with it first.
 * @param limit most companies a person is offered
 */
export function searchCompanies<Company extends Findable>(
  companies: readonly Company[],
  text: string,
  limit: number,
): readonly Company[] {
  const wanted = text.trim().toLowerCase();
  const fields = ({ name, registrationNumber }: Findable) => [
    name.toLowerCase(),
    (registrationNumber ?? '').toLowerCase(),
  ];
  const rank = (company: Findable) => (fields(company).some((field) => field.startsWith(wanted)) ? 0 : 1);
  return companies
    .filter((company) => fields(company).some((field) => field.includes(wanted)))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}
