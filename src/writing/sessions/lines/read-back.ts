import { right } from 'fp-ts/lib/Either.js'
import { requirePath } from '#protocol/atoms.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { readHeader } from '#src/domain/lore/session-header.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import { type BlockField, headerOf, type SessionBlocks, type SessionDraft } from '../report/draft.js'
import { metadataFields, renderSession } from '../report/render.js'
import { rejectValue, type Valued } from '../values.js'

const nowhere = requirePath('nowhere.md')

/** The path of a block's items in a request. */
export const pathOfField = (field: BlockField): string => `metadata.${field === 'points' ? 'pu' : field}`

/** The content of a value as text, without line numbers and in a fixed order of fields. */
const comparableText = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'line') return undefined
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
  })

/** The first block of `wanted` that a copy lacks or has otherwise; null when all match. */
export const findMisread = (copy: SessionCopy, wanted: Partial<SessionBlocks>): BlockField | null => {
  const fields: ReadonlyArray<BlockField> = [...metadataFields, 'preserved']
  return (
    fields.find(field => {
      const items = wanted[field]
      return items !== undefined && comparableText(items) !== comparableText(copy[field])
    }) ?? null
  )
}

const refuseForged = (path: string) =>
  rejectValue(
    path,
    'The text would be read as something else: a header, a block, a fence, a comment or a separator.',
  )

const headerSays = (draft: SessionDraft): string | null => {
  const read = readHeader(headerOf(draft))
  if (read._tag !== 'Session') return 'title'
  const { date, dateEnd, title, narrators } = read.header
  if (date !== draft.date || dateEnd !== draft.dateEnd || title !== draft.title) return 'title'
  return narrators.join('\n') === draft.narrators.join('\n') ? null : 'narrators'
}

/**
 * Returns the draft if parsing its rendered text gives the same session, so that no value forges a header, a
 * block or a line of one (SECURITY 4.8). Otherwise refuses it and names the field.
 */
export const readBack = (draft: SessionDraft): Valued<SessionDraft> => {
  const title = headerSays(draft)
  if (title !== null) return refuseForged(title)
  const text = `${renderSession(draft).join('\n')}\n`
  if (linesOf(text).unclosed !== null) return refuseForged('content')
  const { copies } = parseSessionFile({ path: nowhere, text })
  const [copy] = copies
  if (copy === undefined || copies.length !== 1) return refuseForged('content')
  if (copy.header !== headerOf(draft)) return refuseForged('title')
  if (copy.body !== draft.content) return refuseForged('content')
  const field = findMisread(copy, draft.blocks)
  return field === null ? right(draft) : refuseForged(pathOfField(field))
}
