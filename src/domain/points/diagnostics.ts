import { nameKey } from '#protocol/atoms.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { ledgerKey, readPointsLine } from '#src/domain/lore/session-header.js'
import {
  type LocateCandidate,
  type PuSession,
  type Unresolved,
  unresolvedCandidates,
} from './month-sessions.js'

/** A header that begins no session although PU follow below it (FORMATS 6.6). */
export interface FailedSession {
  readonly header: string
  readonly parseError: string
  readonly puCandidates: ReadonlyArray<string>
}

/**
 * Everything that prevents a month from being settled as its narrators meant it. `ok` is true when there is
 * nothing but `stale`.
 */
export interface Diagnostics {
  readonly ok: boolean
  readonly unresolved: ReadonlyArray<Unresolved>
  readonly malformed: ReadonlyArray<{ readonly character: string; readonly session: string }>
  readonly duplicates: ReadonlyArray<{
    readonly character: string
    readonly session: string
    readonly count: number
  }>
  readonly failed: ReadonlyArray<FailedSession>
  /** Settled headers that no session has any more; for information only. */
  readonly stale: ReadonlyArray<string>
}

/**
 * Names in a `- PU:` block below a header that begins no session: indented `- Name: number` lines up to the
 * next line at the margin.
 */
export const puCandidatesIn = (body: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  let open = false
  for (const line of linesOf(body).lines) {
    if (line._tag === 'Item' && line.indent === 0) open = /^@?pu:?$/iu.test(line.text)
    else if (line._tag !== 'Item') open = false
    else if (open) {
      const { character, value } = readPointsLine(line.text)
      if (value !== null) names.push(character)
    }
  }
  return names
}

/** The inputs of the diagnostics. `sessions` are those of the window, `known` the keys of all sessions. */
export interface DiagnosticsInput {
  readonly sessions: ReadonlyArray<PuSession>
  readonly failed: ReadonlyArray<{
    readonly header: string
    readonly parseError: string
    readonly body: string
  }>
  readonly settled: ReadonlyArray<string>
  readonly known: ReadonlySet<string>
  readonly place: LocateCandidate
}

/** Checks a window before it is settled (FORMATS 6.6). */
export const diagnosticsOf = (input: DiagnosticsInput): Diagnostics => {
  const malformed = input.sessions.flatMap(session =>
    session.points
      .filter(entry => entry.value === null)
      .map(entry => ({ character: entry.character, session: session.header })),
  )
  const failed = input.failed
    .map(({ header, parseError, body }) => ({ header, parseError, puCandidates: puCandidatesIn(body) }))
    .filter(one => one.puCandidates.length > 0)
  const unresolved = unresolvedCandidates(input.sessions, input.place)
  const duplicates = input.sessions.flatMap(duplicatesIn)
  return {
    ok: [unresolved, malformed, duplicates, failed].every(list => list.length === 0),
    unresolved,
    malformed,
    duplicates,
    failed,
    stale: input.settled.filter(header => !input.known.has(ledgerKey(header))),
  }
}

const duplicatesIn = (session: PuSession): Diagnostics['duplicates'] => {
  const counts = new Map<string, { readonly character: string; count: number }>()
  for (const { character } of session.points) {
    const known = counts.get(nameKey(character))
    if (known === undefined) counts.set(nameKey(character), { character, count: 1 })
    else known.count += 1
  }
  return [...counts.values()].flatMap(({ character, count }) =>
    count > 1 ? [{ character, session: session.header, count }] : [],
  )
}
