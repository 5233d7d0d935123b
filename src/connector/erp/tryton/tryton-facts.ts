import { z } from 'zod';
import type { CallScope } from '../erp-call.js';
import type { ErpFacts } from '../kit/erp-facts.js';
import type { TrytonRpc } from './tryton-rpc.js';

/** Yes and no as the database says it, or its driver. */
const yes = z.union([z.boolean(), z.number()]).transform(Boolean);
const accessSchema = z.record(z.string(), z.object({ read: yes, write: yes, create: yes }));
const MODELS = ['account.move', 'party.party'];

/** The version of the server, and what the groups of the user allow. @throws ErpUnavailable */
export async function trytonFacts(rpc: TrytonRpc, scope: CallScope): Promise<ErpFacts> {
  const version = await rpc.version(scope);
  const access = await rpc.read(scope, accessSchema, 'model.ir.model.access.get_access', [MODELS, { language: 'en' }]);
  const [move, party] = MODELS.map((model) => access[model]);
  return {
    version,
    may: {
      ...(move && { post: move.create && move.write }),
      ...(party && { 'create-vendors': party.create }),
      // Tryton refuses it to every user.
      'post-to-closed-periods': false,
    },
  };
}
