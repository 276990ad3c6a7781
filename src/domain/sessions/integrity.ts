import { createHash } from 'node:crypto'
import type { RepoPath } from '#protocol/atoms.js'
import type { Divergence } from '#protocol/lore/sessions.js'
import { formatCount, perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { ledgerKey, ledgerKeyOf, plusForm } from '#src/domain/lore/session-header.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import {
  closeLedgerPath,
  effectsHash,
  noEffects,
  sessionsByLedgerKey,
  sessionTwins,
  twinFinding,
} from './effects/closed-sessions.js'
import { overlayKinds } from './effects/overlay.js'
import { blocksText, formNote } from './effects/overlay-state.js'
import { closedReadingFindings, formerSessionsOf, isFormerHash, type ReadLore } from './former-sessions.js'
import { driftFindings } from './hashes.js'
import { type IntelName, intelNames, intelTargetOf } from './intel-recipients.js'
import { type ComparedField, disputedPoints, divergenceFindings, fieldsThatDiffer, valueIn } from './merge.js'
import type { Folded } from './reading/narrators.js'
import { foldingOf, type SessionLore } from './reading/spellings.js'
import {
  type CloseLedger,
  copyFor,
  type Session,
  type SessionIntel,
  type Sessions,
  sessionWithoutTopics,
} from './session.js'

const unresolvedPu = perValue((names: NameIndex) => {
  const character = (text: string): boolean =>
    resolveName(names, text, { types: ['Postać'], upTo: 'alias' }).entity !== null
  return perValue((session: Session): ReadonlyArray<Finding> => {
    const copy = session.copies[0]
    return copy === undefined
      ? []
      : sessionWithoutTopics(session)
          .points.filter(one => !character(one.character))
          .map(one => ({
            kind: 'UnresolvedCharacter',
            severity: 'warning',
            file: copy.path,
            line: one.line,
            subject: session.header,
            reason:
              `Nazwa „${one.character}” nie wskazuje dokładnie jednej Postaci, ` +
              'więc cały miesiąc tej sesji nie zostanie rozliczony.',
            suggestion: 'Wpisz nagłówek albo alias Postaci, albo dopisz tę pisownię jako @alias.',
          }))
  })
})

/** What to do about a changed closed session: PU that stopped its month are corrected by a commit (points.md). */
const suggestion =
  'Jeśli poprawiono tylko PU, przez które nie można było rozliczyć miesiąca, zostaw zmianę. ' +
  'Każdą inną cofnij, a poprawkę zapisz w nowej sesji.'

const suggestionOfLost = 'Cofnij zmianę, a poprawkę zapisz w nowej sesji.'

/**
 * Findings for closed sessions whose effects differ from those at close by the present and the former reader. The
 * new effects count all the same (D62).
 */
const sessionChangeFindings = (
  lore: ReadLore,
  { entries, meanings }: CloseLedger,
): ReadonlyArray<Finding> => {
  const { sessions } = lore
  const headers = new Map(entries.map(({ header }) => [ledgerKey(header), header]))
  return [...meanings].flatMap(([key, { effects }]): ReadonlyArray<Finding> => {
    const session = sessionsByLedgerKey(sessions).get(key)
    if (effectsHash(session ?? noEffects) === effects) return []
    if (isFormerHash(formerSessionsOf(lore), key, effects)) return []
    const copy = session?.copies[0]
    return [
      {
        kind: 'ClosedSessionChanged',
        severity: 'warning',
        file: copy?.path ?? closeLedgerPath,
        line: copy?.line ?? null,
        subject: session?.header ?? headers.get(key) ?? key,
        reason:
          session === undefined
            ? 'Zamkniętej sesji nie ma w żadnym pliku; jej Zmiany, Transfer, PU i Intel przestały się liczyć.'
            : 'Zmiany, Transfer, PU albo Intel zamkniętej sesji zmieniono po jej zamknięciu; liczą się nowe.',
        suggestion: session === undefined ? suggestionOfLost : suggestion,
      },
    ]
  })
}

const forms = ['zamkniętej sesji', 'zamkniętych sesji', 'zamkniętych sesji'] as const

/** A finding for rows of an earlier release, whose names are resolved again at every build. */
const unrecordedFindings = ({ closed, meanings }: CloseLedger): ReadonlyArray<Finding> => {
  const count = [...closed].filter(key => !meanings.has(key)).length
  return count === 0
    ? []
    : [
        {
          kind: 'ClosedMeaningMissing',
          severity: 'info',
          file: closeLedgerPath,
          line: null,
          subject: null,
          reason: `Wiersze ${formatCount(count, forms)} nie mówią, co znaczyły nazwy w dniu zamknięcia.`,
          suggestion: 'Uruchom „kronika adopt”: uzupełni je z historii repozytorium.',
        },
      ]
}

/** Findings about the difference between closed sessions and their rows in the close ledger. */
const closeFindings = (lore: ReadLore & { readonly closeLedger: CloseLedger }): ReadonlyArray<Finding> => [
  ...sessionChangeFindings(lore, lore.closeLedger),
  ...closedReadingFindings(lore),
  ...unrecordedFindings(lore.closeLedger),
]

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
const intelFindings = ({ sessions, names, closeLedger }: SessionLore): ReadonlyArray<Finding> =>
  sessions.all.filter(session => !closeLedger.meanings.has(ledgerKeyOf(session))).flatMap(ofSession(names))

const sessionForms = ['sesja', 'sesje', 'sesji'] as const

/** The sessions with each name, in order of first appearance; spellings of an unknown name count as one. */
const usesOf = (
  lore: SessionLore,
): ReadonlyMap<string, Use & { readonly form: string; readonly folded: Folded }> => {
  const { fold } = foldingOf(lore)
  const uses = new Map<string, Use & { readonly form: string; readonly folded: Folded }>()
  for (const session of lore.sessions.all)
    for (const form of new Set(session.narrators)) {
      const folded = fold(form)
      const at = folded._tag === 'Unknown' ? `? ${folded.key}` : form
      const known = uses.get(at)
      if (known === undefined) uses.set(at, { first: session, count: 1, form, folded })
      else known.count += 1
    }
  return uses
}

/** Kind and reason of the finding about a name; null when the name is a written spelling. */
const faultOf = (form: string, folded: Folded, sessions: string): Pick<Finding, 'kind' | 'reason'> | null => {
  if (folded._tag === 'Unknown')
    return {
      kind: 'UnknownNarrator',
      reason: `Nikt nie nosi nazwy „${form}” (${sessions}). Czy to koniec tytułu?`,
    }
  if (folded._tag === 'Council' || folded.sure) return null
  return {
    kind: 'UnsureNarrator',
    reason: `Nikt nie nosi dokładnie nazwy „${form}” (${sessions}); odczytano ją jako Gracza „${folded.name}”.`,
  }
}

/**
 * Findings for narrator names that belong to nobody, or that mean a person only as a form or a near spelling:
 * one for each name, at the first session with it. A conjunction already has a finding of its own.
 */
const narratorFindings = (lore: SessionLore): ReadonlyArray<Finding> =>
  [...usesOf(lore).values()].flatMap(({ first, count, form, folded }): ReadonlyArray<Finding> => {
    const fault = plusForm(form) === null ? faultOf(form, folded, formatCount(count, sessionForms)) : null
    const copy = first.copies[0]
    if (fault === null || copy === undefined) return []
    const { path: file, line, header: subject } = copy
    return [{ ...fault, severity: 'info', file, line, subject, suggestion: null }]
  })

/** A finding for each session whose header differs from that of another in case alone. */
const twinFindings = (sessions: Sessions): ReadonlyArray<Finding> =>
  [...sessionTwins(sessions).values()].flatMap(twins =>
    twins.map((session, at) => twinFinding(session, twins[at === 0 ? 1 : 0] ?? session)),
  )

/** All findings about the sessions, with their places (FORMATS 11). */
export const sessionFindings = perValue(
  (lore: SessionLore): ReadonlyArray<Finding> => [
    ...lore.sessions.findings,
    ...lore.closeLedger.findings,
    ...closeFindings(lore),
    ...lore.findings.filter(finding => overlayKinds.has(finding.kind)),
    ...driftFindings(lore.sessions, lore.files),
    ...twinFindings(lore.sessions),
    ...lore.sessions.all.flatMap(unresolvedPu(lore.names)),
    ...intelFindings(lore),
    ...narratorFindings(lore),
  ],
)

/**
 * Sessions whose copies differ, oldest first, as the view allows. Prose is compared by its hash. A difference
 * in restricted topics alone is listed too, with the visible rest of each copy.
 */
export const divergencesFor = (lore: SessionLore, view: View): ReadonlyArray<Divergence> =>
  view.mayReadRestricted ? divergingForAll(lore) : divergingWithoutTopics(lore)

const longFields: ReadonlySet<string> = new Set(['Description', 'Preserved'])

const showValue = (field: string, value: string): string =>
  longFields.has(field) ? `sha256:${createHash('sha256').update(value, 'utf8').digest('hex')}` : value

const differenceOf = (
  { copies }: Session,
  field: ComparedField,
  view: View,
): Divergence['Differences'][number] => ({
  Field: field,
  Values: copies.map(copy => ({
    File: copy.path,
    Line: copy.line,
    Value: showValue(field, valueIn(copyFor(view, copy), field)),
  })),
})

const severities = { error: 'Error', warning: 'Warning', info: 'Info' } as const

const findDivergences = (view: View) =>
  perValue(
    ({ sessions }: SessionLore): ReadonlyArray<Divergence> =>
      sessions.all.flatMap(session => {
        const [worst] = divergenceFindings(session)
        return worst === undefined
          ? []
          : [
              {
                Header: session.header,
                Severity: severities[worst.severity],
                DisputedPu: view.mayReadRestricted
                  ? disputedPoints(session)
                  : disputedPoints(session).map(quotableLine),
                Copies: session.copies.map(copy => ({ File: copy.path, Line: copy.line })),
                Differences: fieldsThatDiffer(session).map(field => differenceOf(session, field, view)),
              },
            ]
      }),
  )

const divergingForAll = findDivergences({
  mayReadRestricted: true,
  sessions: true,
  logs: true,
  external: true,
})
const divergingWithoutTopics = findDivergences({
  mayReadRestricted: false,
  sessions: true,
  logs: true,
  external: true,
})

interface Use {
  readonly first: Session
  count: number
}
