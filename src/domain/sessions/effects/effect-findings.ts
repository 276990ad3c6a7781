import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { firstNames } from '#src/domain/names/first-names.js'
import type { ChangedTag, Session, SessionCopy, SessionTransfer } from '../session.js'

type Effect = ChangedTag | SessionTransfer

/** The copy that contains each tag and each transfer of a session. */
const copyByEffect = perValue((session: Session): ReadonlyMap<Effect, SessionCopy> => {
  const copies = new Map<Effect, SessionCopy>()
  for (const copy of session.copies)
    for (const effect of [...copy.changes.flatMap(change => change.tags), ...copy.transfers])
      copies.set(effect, copy)
  return copies
})

/** What a finding about an effect says; a warning unless it names another severity. */
export interface EffectNote extends Pick<Finding, 'kind' | 'line' | 'reason' | 'suggestion'> {
  readonly severity?: Finding['severity']
}

/** Adds a finding about an effect of a session, at the file of the copy that contains it. */
export const noteEffect = (
  { findings }: { readonly findings: Array<Finding> },
  session: Session,
  effect: Effect | undefined,
  said: EffectNote,
): void => {
  const copy = (effect === undefined ? undefined : copyByEffect(session).get(effect)) ?? session.copies[0]
  findings.push({ severity: 'warning', ...said, file: copy?.path ?? session.path, subject: session.header })
}

/** The first few blocks that a name may mean, as text for a finding; thousands may share a name. */
export const blocksText = perValue((candidates: ReadonlyArray<Entity>): string => {
  const { names, more } = firstNames(candidates, one => `${one.type} ${one.name}`)
  return names.join(', ') + (more === 0 ? '' : ` i jeszcze ${more}`)
})

/** The finding about an effect whose name is an inflected form of a block. */
export const formNote = (kind: string, name: string, block: Entity, line: number): EffectNote => ({
  kind,
  severity: 'info',
  line,
  reason: `Nazwę „${name}” odczytano jako odmienioną formę: ${block.type} „${block.name}”.`,
  suggestion: `Aby skutek nie zależał od odmiany, wpisz „${block.name}”.`,
})
