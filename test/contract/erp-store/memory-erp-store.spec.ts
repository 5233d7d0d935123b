import { MemoryErpStore } from '../../support/memory-erp-store.js';
import { erpStoreContract } from './erp-store-contract.js';

erpStoreContract('the store in memory', () => Promise.resolve(new MemoryErpStore()));
