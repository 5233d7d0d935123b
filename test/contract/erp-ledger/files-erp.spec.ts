import { harnesses } from './files-harness.js';
import { contractTests } from './contract-tests.js';

harnesses.forEach(contractTests);
