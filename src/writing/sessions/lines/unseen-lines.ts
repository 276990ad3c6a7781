import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Session, SessionCopy } from '#src/domain/sessions/session.js'
import { copyFor } from '#src/domain/sessions/shown-session.js'
import type { BlockField } from '../report/draft.js'
import { metadataFields } from '../report/render.js'
import { pathOfField } from './read-back.js'
import type { Replaced } from './section-splices.js'

type Part = 'content' | BlockField
const parts: ReadonlyArray<Part> = ['content', ...metadataFields, 'preserved']

const partOf = (copy: SessionCopy, part: Part): unknown => (part === 'content' ? copy.body : copy[part])

const isReplaced = ({ content, blocks }: Replaced, part: Part): boolean =>
  part === 'content' ? content !== null : blocks[part] !== undefined

const pathOf = (part: Part): string => (part === 'content' ? part : pathOfField(part))

/** Whether a caller sees less of a part than callers who may read restricted topics. */
const isCut = (view: View, copy: SessionCopy, part: Part): boolean => {
  const [all, seen] = [copyFor({ ...view, mayReadRestricted: true }, copy), copyFor(view, copy)]
  return all !== seen && JSON.stringify(partOf(all, part)) !== JSON.stringify(partOf(seen, part))
}

/**
 * Refuses to replace a part of a session with lines that the caller may not see (A 5): sending back the
 * visible text would remove the others. Null when the caller sees everything that the patch replaces.
 */
export const refuseUnseenLines = (
  view: View,
  { copies }: Session,
  replaced: Replaced,
): RefusalOf<'Forbidden'> | null => {
  if (view.mayReadRestricted) return null
  const part = parts.find(one => isReplaced(replaced, one) && copies.some(copy => isCut(view, copy, one)))
  if (part === undefined) return null
  const detail =
    `\`${pathOf(part)}\` holds lines that the caller may not read, and replacing it would take them away. ` +
    'Leave it out, or ask a person with player.restricted.read to make the change.'
  return refuse('Forbidden', detail, { required: 'player.restricted.read' })
}
