import { MemoryErpStore } from '../../../src/erp-contract/memory-erp-store.js';
import { erpStoreContract } from './erp-store-contract.js';

erpStoreContract('the store in memory', () => Promise.resolve(new MemoryErpStore()));
