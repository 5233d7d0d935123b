import { apiQuery } from '../api/client.js';
import { t } from '../messages/text.js';
import { useMay } from './roles.js';

const MAX_KNOWN = 100;
const OTHERS = {
  token: 'people.token',
  system: 'people.connector',
  connector: 'people.connector',
  operator: 'people.operator',
} as const;
const PERSON = /^person ([\da-f-]{36})$/;

/** @returns members by name; none to readers who are no admins */
export function useMembers() {
  const isAdmin = useMay('admin');
  const members = apiQuery.useQuery(
    'get',
    '/api/v1/members',
    { params: { query: { limit: MAX_KNOWN } } },
    { enabled: isAdmin },
  );
  return members.data?.data ?? [];
}

/**
 * The name of a person whom the API names by id: `person 0198…` is a member, whose name only admins may read; `system …` is a
 * step of the connector.
 */
export function useNames(): (author: string) => string {
  const { data: me } = apiQuery.useQuery('get', '/api/v1/me');
  const names = new Map(useMembers().map(({ id, displayName }) => [id, displayName]));
  return (author) => {
    const [, id] = PERSON.exec(author) ?? [];
    if (id === undefined) {
      const [first = ''] = author.split(' ');
      return first in OTHERS ? t(OTHERS[first as keyof typeof OTHERS]) : author;
    }
    return (id === me?.memberId ? me.displayName : names.get(id)) ?? t('people.aMember');
  };
}
