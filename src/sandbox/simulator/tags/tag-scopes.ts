// Both spellings of the tag scopes are in use (P3.2 and P12).

export const READ_TAGS = ['tag-groups:read', 'tag-group:read'] as const;
export const WRITE_TAGS = ['tag-groups:write', 'tag-group:write'] as const;
