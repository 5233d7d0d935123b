export const mayImport: Readonly<Record<string, readonly string[]>>;
export const openRooms: readonly string[];
export const pureFolders: readonly string[];
