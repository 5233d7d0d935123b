export declare function administer(statement: string): Promise<readonly Record<string, unknown>[]>;
export declare function disconnect(): Promise<void>;
