import { harnesses } from '../../support/later-books/later-books-harness.js';
import { contractTests } from './contract-tests.js';

harnesses.forEach(contractTests);
