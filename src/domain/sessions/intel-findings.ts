import type { RepoPath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { blocksText, formNote } from './effects/effect-findings.js'
import { type IntelName, intelNames, intelTargetOf } from './intel-recipients.js'
import type { Session, SessionIntel } from './session.js'
import type { SessionLore } from './session-lore.js'
import { sessionWithoutTopics } from './shown-session.js'

/** The file of the first copy that contains an entry: the entries of a session come from its copies. */
const fileOf = ({ copies, path }: Session, { target, message }: SessionIntel): RepoPath =>
  copies.find(copy => copy.intel.some(one => one.target === target && one.message === message))?.path ?? path

const describeType = (type: IntelName['type']): string => {
  if (type === 'Grupa' || type === 'Lokacja') return `Żadna ${type}`
  return 'Żaden blok'
}

const reasonOf = ({ name, type, found }: IntelName): string =>
  found.ambiguous
    ? `Nazwa „${name}” należy do kilku bloków (${blocksText(found.candidates)}); Intel pomija tego adresata.`
    : `${describeType(type)} nie nosi nazwy „${name}”; Intel pomija tego adresata.`

const noteOf = (one: IntelName, line: number): Omit<Finding, 'file' | 'subject'> | null => {
  const { found, isForm, name } = one
  if (found.entity === null)
    return {
      kind: 'UnresolvedIntel',
      severity: 'warning',
      line,
      reason: reasonOf(one),
      suggestion:
        'Wpisz nagłówek albo alias, który ma tylko jeden blok, albo dopisz tę pisownię jako @alias.',
    }
  return isForm ? { severity: 'info', ...formNote('InflectedIntel', name, found.entity, line) } : null
}

const ofSession = perValue((names: NameIndex) =>
  perValue(
    (session: Session): ReadonlyArray<Finding> =>
      sessionWithoutTopics(session).intel.flatMap(entry =>
        intelNames(names, intelTargetOf(entry.target)).flatMap(one => {
          const note = noteOf(one, entry.line)
          return note === null ? [] : [{ ...note, file: fileOf(session, entry), subject: session.header }]
        }),
      ),
  ),
)

/**
 * Findings for Intel targets that mean nobody or several, and for names that are inflected forms: an entry for
 * nobody is kept and reaches nobody (FORMATS 4.6). Skips sessions whose recipients were recorded at close,
 * because the present meaning of names changes nothing there.
 */
export const intelFindings = ({ sessions, names, closeLedger }: SessionLore): ReadonlyArray<Finding> =>
  sessions.all.filter(session => !closeLedger.meanings.has(ledgerKeyOf(session))).flatMap(ofSession(names))
