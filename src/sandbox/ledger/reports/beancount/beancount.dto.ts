import { input } from '../../../../foundation/http/input.js';
import { shape } from '../../../../foundation/http/shape.js';

export class BeancountQuery extends shape({
  amounts: input.oneOf(['transaction', 'functional'], { default: 'transaction' }),
}) {}
