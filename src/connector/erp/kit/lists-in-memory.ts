// What the calls to an ERP have read of its lists, by the memory that it takes: a list without an end must not take the whole process's.
import { AsyncLocalStorage } from 'node:async_hooks';
import { bytesOf } from '../../../kernel/memory.js';
import { ErpUnavailable } from '../erp-ledger.js';

const MEGABYTE = 1_024 * 1_024;
/** Some 150,000 vendors. */
const MAX_OF_CALL = 64 * MEGABYTE;
const MAX_OF_CALLS = 2 * MAX_OF_CALL;

interface Call {
  readonly lists: ListsInMemory;
  bytes: number;
  isOver: boolean;
}

const underWay = new AsyncLocalStorage<Call>();

/** Of the calls of one installation in this process. */
export class ListsInMemory {
  private bytes = 0;

  /** What `work` keeps of lists counts until it ends. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const call: Call = { lists: this, bytes: 0, isOver: false };
    try {
      return await underWay.run(call, work);
    } finally {
      call.isOver = true;
      this.bytes -= call.bytes;
    }
  }

  /** @returns false when they do not fit, or the call has ended, as one whose other list has failed */
  add(call: Call, bytes: number): boolean {
    if (call.isOver || call.bytes + bytes > MAX_OF_CALL || this.bytes + bytes > MAX_OF_CALLS) {
      return false;
    }
    call.bytes += bytes;
    this.bytes += bytes;
    return true;
  }
}

/**
 * To be called with each page of a list that is kept whole: memory is limited, and an ERP may give page after page.
 * @throws ErpUnavailable when the lists of the call under way get too long
 */
export function countRows(rows: readonly unknown[]): void {
  const call = underWay.getStore();
  if (call?.lists.add(call, bytesOf(rows)) === false) {
    throw new ErpUnavailable({ kind: 'server-error', message: 'its lists are too long to be read, or do not end' });
  }
}
