/** Of the OpenAPI document: all stored data of an installation. */
export const STORED_DATA = {
  type: 'object',
  required: ['exportedAt', 'tables'],
  properties: {
    exportedAt: { type: 'string', format: 'date-time' },
    tables: {
      type: 'object',
      description: 'rows of each table, by its name',
      additionalProperties: { type: 'array', items: { type: 'object', additionalProperties: true } },
    },
  },
};
