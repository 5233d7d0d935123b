import { contractTests } from './contract-tests.js';
import { harnesses } from './ledger-harness.js';

harnesses.forEach(contractTests);
