import { expect, it } from '@jest/globals';
import { searchCompanies } from './search-companies.js';

const company = (id: string, name: string, registrationNumber: string | null = null) => ({
  id,
  name,
  registrationNumber,
  address: { country: null, locality: null },
});
const COMPANIES = [
  company('1', 'Nordlys ApS', '12345678'),
  company('2', 'Sydlys AB', '5561234'),
  company('3', 'lys og varme'),
  company('4', 'Lysglimt'),
];

it.each([
  ['lys', 10, ['3', '4', '1', '2']],
  [' LYS ', 2, ['3', '4']],
  ['1234', 10, ['1', '2']],
  ['nord', 10, ['1']],
  ['', 10, ['3', '4', '1', '2']],
  ['none', 10, []],
])('finds companies by %j, at most %d', (text, limit, expected) => {
  expect(searchCompanies(COMPANIES, text, limit).map(({ id }) => id)).toEqual(expected);
});
