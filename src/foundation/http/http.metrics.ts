// What is counted of calls to other systems, by the name their client was given. A peer is a system, never a tenant.
import { Counter, Gauge } from 'prom-client';

/** `left-alone`: not sent, because the peer has failed for a while. */
export type CallOutcome = '2xx' | '3xx' | '4xx' | '429' | '5xx' | 'no-answer' | 'left-alone';

const requests = new Counter({
  name: 'http_client_requests_total',
  help: 'Requests to another system, by how they ended',
  labelNames: ['peer', 'outcome'] as const,
});
const circuit = new Gauge({
  name: 'http_client_circuit_open',
  help: '1 while a system that only fails is left alone',
  labelNames: ['peer'] as const,
});

const openCircuitPeers = new Set<string>();

/** @param peer name of the system, as its client was given it */
export function countCall(peer: string, outcome: CallOutcome): void {
  requests.inc({ peer, outcome });
}

export function recordCircuitState(peer: string, isOpen: boolean): void {
  circuit.set({ peer }, isOpen ? 1 : 0);
  if (isOpen) {
    openCircuitPeers.add(peer);
  } else {
    openCircuitPeers.delete(peer);
  }
}

/** Systems that this process does not call just now, because they only fail. */
export function peersWithOpenCircuit(): readonly string[] {
  return [...openCircuitPeers];
}

/** @param status of the answer, 200 to 599 */
export function outcomeOfStatus(status: number): CallOutcome {
  if (status === 429) {
    return '429';
  }
  if (status >= 500) {
    return '5xx';
  }
  return status >= 400 ? '4xx' : status >= 300 ? '3xx' : '2xx';
}
