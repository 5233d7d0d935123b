// Both spellings of the tag scopes are in use (wire-facts §3.2 and §12).

export const READ_TAGS = ['tag-groups:read', 'tag-group:read'] as const;
export const WRITE_TAGS = ['tag-groups:write', 'tag-group:write'] as const;
