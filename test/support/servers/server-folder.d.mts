export declare function serverFolder(): string;
export declare function releaseMemory(folder: string): Promise<void>;
