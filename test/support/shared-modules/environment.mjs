// The environment of tests that share modules (runtime.mjs): the process's own realm, so that an Error or a Date is the same to a test
// as to the modules, which were loaded before it. What a file changes in the realm is put back when the file has run.
import { setTimeout as sleep } from 'node:timers/promises';
import vm from 'node:vm';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/** Stands for the process's own realm, of which Node has no context object: it is where code goes that names none. */
const OWN_REALM = vm.createContext({});

/** For what closes as the file ends. */
const CLOSES_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 20;

const serversListening = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

const withoutOwnRealm = (option) =>
  option?.context === OWN_REALM || option?.parsingContext === OWN_REALM
    ? { ...option, context: undefined, parsingContext: undefined }
    : option;
const handler = {
  apply: (target, self, args) => Reflect.apply(target, self, args.map(withoutOwnRealm)),
  construct: (target, args) => Reflect.construct(target, args.map(withoutOwnRealm)),
};
for (const name of ['SourceTextModule', 'SyntheticModule', 'compileFunction']) {
  vm[name] = new Proxy(vm[name], handler);
}

export default class SharedEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    this.globalsBefore = Object.getOwnPropertyDescriptors(globalThis);
    this.processBefore = { env: { ...process.env }, exit: process.exit };
    this.dateBefore = Object.getOwnPropertyDescriptors(Date);
    this.serversBefore = serversListening();
    this.context = OWN_REALM;
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimers = null;
    const { projectConfig } = config;
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: projectConfig, global: globalThis });
  }

  async teardown() {
    await super.teardown();
    // Jest keeps the state of a file under symbols. What stands under a name is a module's, which stays loaded.
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (!Object.hasOwn(this.globalsBefore, symbol)) {
        Reflect.deleteProperty(globalThis, symbol);
      }
    }
    restore(globalThis, this.globalsBefore);
    restore(Date, this.dateBefore);
    process.exit = this.processBefore.exit;
    const { env } = this.processBefore;
    for (const name of Object.keys(process.env).filter((key) => !(key in env))) {
      delete process.env[name];
    }
    Object.assign(process.env, env);
    await this.refuseLeftServers();
  }

  /** A server that still listens holds all that it serves in memory, and keeps the process from ending. */
  async refuseLeftServers() {
    const left = () => serversListening() - this.serversBefore;
    for (let waitedMs = 0; left() > 0 && waitedMs < CLOSES_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
      await sleep(LOOK_EVERY_MS);
    }
    if (left() > 0) {
      throw new Error(`The file leaves servers listening (${left()}): close each after its test, and wait for it.`);
    }
  }
}

function restore(target, before) {
  for (const key of Reflect.ownKeys(before)) {
    const { [key]: descriptor } = before;
    const now = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor.configurable && (now?.value !== descriptor.value || now?.get !== descriptor.get)) {
      Object.defineProperty(target, key, descriptor);
    }
  }
}
