// The environment of pure specs: Node's own, in a process that ends as soon as nothing is open any more. To free the memory of all that
// it has loaded first takes longer than Jest leaves a process to end.
import { TestEnvironment } from 'jest-environment-node';

process.once('beforeExit', () => process.exit());

export default TestEnvironment;
