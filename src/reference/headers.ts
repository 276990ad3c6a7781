import { isFromCommit, namesCommit, type Route } from '#protocol/route.js'
import type { JsonSchema } from './schema.js'

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const textHeader = (description: string): JsonSchema => ({ description, schema: { type: 'string' } })

/** Request headers that rows read, as parameters of the document. */
export const headerParameters: Readonly<Record<string, JsonSchema>> = {
  IfNoneMatch: header('If-None-Match', 'Validators that the caller has; 304 when one of them is current.'),
  MinCommit: header('X-Svc-Min-Commit', 'A full commit id that the answer must have; 409 without it (D27).'),
}

/** Headers of answers, as components of the document. */
export const answerHeaders: Readonly<Record<string, JsonSchema>> = {
  ETag: textHeader('The weak validator of the answer (D10).'),
  Commit: textHeader(
    'The commit of the lore that the answer was made of, or that holds the write (D27); absent on a plain directory.',
  ),
  RetryAfter: textHeader('Seconds until it is worth asking again.'),
}

/** References to the request headers that the row reads. */
export const requestHeadersOf = (row: Route): ReadonlyArray<JsonSchema> => [
  ...(row.etag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(isFromCommit(row) ? [{ $ref: '#/components/parameters/MinCommit' }] : []),
]

/** The `headers` of the row's own answers; empty where it has none. */
export const answerHeadersOf = (row: Route): JsonSchema => {
  const headers = {
    ...(row.etag ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(namesCommit(row) ? { 'X-Svc-Commit': { $ref: '#/components/headers/Commit' } } : {}),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** The `headers` of refusals that are temporary. */
export const passingHeaders: JsonSchema = {
  headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
}
