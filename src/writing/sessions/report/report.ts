import { type Either, isLeft, left, map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { requirePath } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { changesRefused } from '../changes-of.js'
import { type CreateSessionRefusal, claimsOf, type NewSession } from '../create.js'
import { pathOfField } from '../lines/read-back.js'
import { namesFound } from '../names-of.js'
import { rejectValue } from '../values.js'
import { headerOf, type SessionDraft } from './draft.js'
import { renderSession } from './render.js'
import { reportPath } from './report-path.js'

const enacts = ({ blocks }: SessionDraft): 'transfers' | 'intel' | null =>
  blocks.transfers.length > 0 ? 'transfers' : blocks.intel.length > 0 ? 'intel' : null

const refuseTaken = (path: string, name: string): RefusalOf<'NameTaken'> =>
  refuse('NameTaken', `You already sent a report of this session: ${path}.`, {
    name,
    type: 'Sesja',
  })

/**
 * Stores a player's report of a session below `zgłoszenia/`. Session and reporter determine its path, so a
 * report sent twice is one. It has no transfers and no intel, and never counts as a session (B 4.2).
 */
export const reportSession = (
  snapshot: Snapshot,
  draft: SessionDraft,
  reporter: string,
): Either<CreateSessionRefusal, NewSession> => {
  const act = enacts(draft)
  if (act !== null)
    return rejectValue(pathOfField(act), 'A report cannot have transfers or intel. Leave them out.')
  const changes = changesRefused(snapshot, draft.blocks.changes)
  if (isLeft(changes)) return changes
  const header = headerOf(draft)
  const key = sessionKey(header)
  const path = requirePath(reportPath(key, reporter))
  if (snapshot.files.has(path)) return left(refuseTaken(path, header))
  return pipe(
    namesFound(snapshot, draft.narrators, draft.blocks),
    map(({ characters, unresolved }) => ({
      header,
      edits: [{ _tag: 'Whole', path, before: null, after: `${renderSession(draft).join('\n')}\n` } as const],
      claims: claimsOf(key, path, characters),
      touches: [{ kind: 'session', name: header } as const],
      placed: { file: path, line: 1, staged: false, unresolved },
    })),
  )
}
