import { harnesses } from './files-harness.js';
import { erpContract } from './suite/erp-contract.js';

harnesses.forEach(erpContract);
