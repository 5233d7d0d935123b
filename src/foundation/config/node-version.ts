/** What pg-boss asks for; our own code uses `Promise.withResolvers` and `Map.groupBy`, which are as young. */
const OLDEST = { major: 22, minor: 12 };

/**
 * The npm scripts run with the Node of `node_modules`, whatever started npm; a program started by hand may get an older one.
 * @param version as in `process.versions.node`
 * @returns what to do about it, or undefined when the version will do
 */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  return isNewEnough
    ? undefined
    : `This program needs Node ${OLDEST.major.toString()}.${OLDEST.minor.toString()} or newer and was started with ${version}. The npm scripts bring their own; by hand, start it with node_modules/.bin/node.`;
}
