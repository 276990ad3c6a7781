import type * as t from 'io-ts'
import { queryKinds } from '#protocol/query.js'
import type { JsonSchema } from './schema.js'

/**
 * The schema of a query parameter by the name of its codec; for an unknown codec the name is the description.
 */
export const querySchema = (codec: t.Mixed): JsonSchema => {
  const kind = queryKinds[codec.name]
  if (kind === undefined) return { type: 'string', description: codec.name }
  const { wants, values, format, pattern } = kind
  return {
    type: 'string',
    description: wants,
    ...(values === undefined ? {} : { enum: [...values] }),
    ...(format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}
