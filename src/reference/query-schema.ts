import type * as t from 'io-ts'
import { entityTypes, statuses } from '#protocol/atoms/vocabulary.js'
import type { Schema } from './schema.js'

/** What the text of a query parameter may be, by the name of its codec (`protocol/query.ts`). */
const schemas: Readonly<Record<string, Schema>> = {
  Text: { type: 'string' },
  Flag: { type: 'string', enum: ['true', 'false'] },
  Day: { type: 'string', format: 'date' },
  DayOrInstant: { type: 'string', description: 'A day YYYY-MM-DD or an ISO-8601 instant.' },
  EntityType: { type: 'string', enum: [...entityTypes] },
  Status: { type: 'string', enum: [...statuses] },
  Month: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
  Limit: { type: 'string', description: 'A whole number; anything else is the whole set.' },
  Offset: { type: 'string', description: 'A whole number; anything else is 0.' },
}

/** The schema of a query parameter; one that is not listed is a text described by its codec's name. */
export const querySchema = (codec: t.Mixed): Schema =>
  schemas[codec.name] ?? { type: 'string', description: codec.name }
