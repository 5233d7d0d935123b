import { Button, NativeSelect } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import type { MemberResponse, RoleRequest } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { tellUndoable } from '../../parts/held/held.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded } from '../../parts/states.js';
import { useUnderWay } from '../../parts/table/under-way.js';
import { useChanged } from './changed.js';

export const ROLES = ['viewer', 'bookkeeper', 'admin'] as const;
export const roleChoices = () => ROLES.map((value) => ({ value, label: t(`role-of-member.${value}`) }));

export function Members() {
  const members = apiQuery.useInfiniteQuery('get', '/api/v1/members', {}, PAGED);
  const changed = useChanged();
  const setRole = apiQuery.useMutation('put', '/api/v1/members/{id}', changed);
  const remove = apiQuery.useMutation('delete', '/api/v1/members/{id}', changed);
  const removing = useUnderWay('delete', '/api/v1/members/{id}');
  const givenRole = useUnderWay<RoleRequest>('put', '/api/v1/members/{id}');
  const give = (member: MemberResponse, role: RoleRequest['role']) => {
    const { id, role: before } = member;
    const params = { path: { id } };
    const name = nameOf(member);
    const onSuccess = () => {
      tellUndoable(t('people.roleIs', { name, role: word('role-of-member', role) }), () => {
        setRole.mutate({ params, body: { role: before } });
      });
    };
    setRole.mutate({ params, body: { role } }, { onSuccess });
  };
  return (
    <Loaded query={{ ...members, data: rowsOf(members.data) }}>
      {(rows) => (
        <DataTable
          label={t('people.members')}
          empty={t('people.none')}
          rows={rows}
          keyOf={({ id }) => id}
          more={members.hasNextPage ? () => void members.fetchNextPage() : undefined}
          columns={[
            { header: t('people.name'), cell: nameOf },
            {
              header: t('people.role'),
              cell: (member) => (
                <NativeSelect
                  size="xs"
                  aria-label={t('people.roleOf', { name: nameOf(member) })}
                  value={givenRole(member.id)?.body?.role ?? member.role}
                  disabled={givenRole(member.id) !== undefined}
                  data={roleChoices()}
                  onChange={(event) => {
                    give(member, event.currentTarget.value as RoleRequest['role']);
                  }}
                />
              ),
            },
            { header: t('people.signedIn'), cell: ({ signedInAt }) => shownTime(signedInAt) },
            {
              header: t('action.actions'),
              cell: (member) =>
                member.removedAt === null ? (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={t('people.removeOf', { name: nameOf(member) })}
                    loading={removing(member.id) !== undefined}
                    onClick={() => {
                      holdSignedIn({
                        text: t('people.heldRemove', { name: nameOf(member) }),
                        about: `member ${member.id}`,
                        act: () => remove.mutateAsync({ params: { path: { id: member.id } }, keepalive: true }),
                      });
                    }}
                  >
                    {t('action.remove')}
                  </Button>
                ) : (
                  t('people.removed', { at: shownTime(member.removedAt) })
                ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}

function nameOf({ displayName }: MemberResponse): string {
  return displayName ?? t('people.aMember');
}
