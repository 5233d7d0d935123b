import { doesAnswer, reportReachable } from '../api/reachable.js';

const AGAIN_MS = 3_000;

/**
 * Loads what a page needs before it is shown. While the connector does not answer it waits, and the reader is notified: loading
 * everything anew, as after a deployment, would replace the page by the browser's own message.
 * @throws what `load` throws while the connector answers
 */
export function onceReachable<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  const attempt = async (): Promise<Loaded> => {
    try {
      return await load();
    } catch (error) {
      if (await doesAnswer()) {
        throw error;
      }
      reportReachable(false);
      await new Promise((done) => setTimeout(done, AGAIN_MS));
      return attempt();
    }
  };
  return attempt;
}
