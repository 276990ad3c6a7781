import type { Finding } from '#src/lore/finding.js'
import { perValue } from '#src/lore/per-value.js'
import type { Resolution } from '#src/names/resolution.js'
import type { ChangedTag, Session, SessionCopy, SessionTransfer } from '#src/sessions/session.js'

type Effect = ChangedTag | SessionTransfer

/** The copy that states each tag and each transfer of a session. */
const copyByEffect = perValue((session: Session): ReadonlyMap<Effect, SessionCopy> => {
  const copies = new Map<Effect, SessionCopy>()
  for (const copy of session.copies)
    for (const effect of [...copy.changes.flatMap(change => change.tags), ...copy.transfers])
      copies.set(effect, copy)
  return copies
})

/** Adds a finding about an effect of a session, in the file of the copy that states it. */
export const noted = (
  { findings }: { readonly findings: Array<Finding> },
  session: Session,
  effect: Effect | undefined,
  line: number,
  kind: string,
  reason: string,
  suggestion: string | null,
): void => {
  const copy = (effect === undefined ? undefined : copyByEffect(session).get(effect)) ?? session.copies[0]
  const file = copy?.path ?? session.path
  findings.push({ kind, severity: 'warning', file, line, subject: session.header, reason, suggestion })
}

/** A finding names so many blocks: thousands may share a name, and thousands of changes may use it. */
const ownersMax = 5

const ownersText = perValue((candidates: Resolution['candidates']): string => {
  const named = candidates.slice(0, ownersMax).map(one => `${one.type} ${one.name}`)
  const left = candidates.length - named.length
  return `${named.join(', ')}${left > 0 ? ` i jeszcze ${left}` : ''}`
})

/** Why a change of a name that means no one block is not applied. */
export const refusedChange = (
  found: Resolution,
  name: string,
): readonly [kind: 'AmbiguousChange' | 'UnresolvedChange', reason: string] =>
  found.ambiguous
    ? [
        'AmbiguousChange',
        `Nazwa „${name}” pasuje do więcej niż jednej encji (${ownersText(found.candidates)}); nic nie zmieniono.`,
      ]
    : ['UnresolvedChange', `Żadna encja nie nosi nazwy „${name}”; nic nie zmieniono.`]
