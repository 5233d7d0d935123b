import { field, shape, shapeWith } from '../../../foundation/http/shape.js';

export class ApiKeyDto extends shape({
  id: field.uuid(),
  createdAt: field.instant(),
}) {}

export class CreatedApiKeyDto extends shapeWith(ApiKeyDto, {
  apiKey: field.text('the key itself, shown this once'),
}) {}

export class ApiKeysDto extends shape({
  data: field.many(ApiKeyDto, { maxItems: 20 }),
}) {}
