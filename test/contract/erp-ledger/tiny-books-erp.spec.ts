import { harnesses } from '../../support/tiny-books/tiny-books-harness.js';
import { contractTests } from './contract-tests.js';

harnesses.forEach(contractTests);
