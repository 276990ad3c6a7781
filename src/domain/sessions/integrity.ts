import { createHash } from 'node:crypto'
import type { Divergence } from '#protocol/sessions.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { closeFindings } from './closing/findings.js'
import { overlayKinds } from './effects/overlay.js'
import { driftFindings } from './hashes.js'
import { intelFindings } from './intel-findings.js'
import {
  type ComparedField,
  disputedPoints,
  divergenceFindings,
  fieldsThatDiffer,
  valueIn,
} from './merging/divergence.js'
import { narratorFindings } from './narrator-findings.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'
import { copyFor, sessionWithoutTopics } from './shown-session.js'

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

/** All findings about the sessions, with their places (FORMATS 11). */
export const sessionFindings = perValue(
  (lore: SessionLore): ReadonlyArray<Finding> => [
    ...lore.sessions.findings,
    ...lore.closeLedger.findings,
    ...closeFindings(lore),
    ...lore.findings.filter(finding => overlayKinds.has(finding.kind)),
    ...driftFindings(lore.sessions, lore.files),
    ...lore.sessions.all.flatMap(unresolvedPu(lore.names)),
    ...intelFindings(lore),
    ...narratorFindings(lore),
  ],
)

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
                DisputedPu: disputedPoints(session),
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

/**
 * Sessions whose copies differ, oldest first, as the view allows. Prose is compared by its hash. A difference
 * in restricted topics alone is listed too, with the visible rest of each copy.
 */
export const divergencesFor = (lore: SessionLore, view: View): ReadonlyArray<Divergence> =>
  view.mayReadRestricted ? divergingForAll(lore) : divergingWithoutTopics(lore)
