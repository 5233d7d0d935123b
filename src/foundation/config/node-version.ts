/** What pg-boss asks for; our own code uses `Promise.withResolvers` and `Map.groupBy`, which are as young. */
const MIN_VERSION = { major: 22, minor: 12 };

/**
 * The npm scripts run with the Node of `node_modules`, whatever started npm; a program started by hand may get an older one.
 * @param version as in `process.versions.node`
 * @returns what to do about it, or undefined when the version will do
 */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > MIN_VERSION.major || (major === MIN_VERSION.major && minor >= MIN_VERSION.minor);
  return isNewEnough
    ? undefined
    : `This program needs Node ${MIN_VERSION.major.toString()}.${MIN_VERSION.minor.toString()} or newer and was started with ${version}. The npm scripts bring their own; by hand, start it with node_modules/.bin/node.`;
}
