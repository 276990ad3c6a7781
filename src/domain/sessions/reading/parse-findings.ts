import type { RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { Line } from '#src/domain/lore/lines.js'
import { signProblem } from '#src/domain/lore/rows/rows.js'
import { blockHead, plusForm, type ReadHeader, readPointsLine } from '#src/domain/lore/session-header.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import type { SessionCopy } from '../session.js'
import type { Notice } from './block-content.js'
import { type SessionSection, sessionBlocks } from './section.js'

/** The session that a finding concerns. */
export interface SessionPlace {
  readonly path: RepoPath
  readonly header: string
  readonly line: number
}

/** Returns a `Notice` that adds findings about the session at `place`. */
export const createNotice =
  (place: SessionPlace, findings: Array<Finding>): Notice =>
  (kind, line, reason, suggestion) => {
    findings.push(finding(place, kind, severities[kind], line, reason, suggestion))
  }

/**
 * Findings for a `###` header that begins no session: only when it looks like a date, or when a block of a session
 * follows below it (FORMATS 4.1, 6.6).
 */
export const badHeader = (
  place: SessionPlace,
  read: Exclude<ReadHeader, { _tag: 'Session' }>,
  below: ReadonlyArray<Line>,
): ReadonlyArray<Finding> => {
  const credited = readCredits(below)
  const names = [...new Set(sessionBlocks(below).map(({ head }) => head.name))]
  if (read._tag === 'Dateless' && credited === null && names.length === 0) return []
  const lost =
    credited === null
      ? names.map(name => ` Blok ${name} pod nim nie jest czytany.`).join('')
      : ` PU zapisane pod nim nikomu się nie liczą: ${credited.join(', ')}.`
  const reason =
    read._tag === 'Dateless'
      ? `Nagłówek nie ma daty, więc nie zaczyna sesji.${lost}`
      : `„${read.written}” nie jest dniem w zapisie RRRR-MM-DD, więc nagłówek nie zaczyna sesji.${lost}`
  const severity = credited === null ? 'warning' : 'error'
  return [
    finding(place, 'BadHeader', severity, place.line, reason, 'Zapisz „### RRRR-MM-DD, tytuł, narrator”.'),
  ]
}

export const badRange = (
  place: SessionPlace,
  range: 'Unreadable' | 'Inverted' | null,
): ReadonlyArray<Finding> => {
  if (range === null) return []
  const reason =
    range === 'Inverted'
      ? 'Dzień końca jest przed dniem początku; sesja jest czytana bez niego.'
      : 'Dzień końca po ukośniku nie jest dniem tego samego miesiąca; sesja jest czytana bez niego.'
  return [
    finding(
      place,
      'BadRange',
      'warning',
      place.line,
      reason,
      'Zapisz „RRRR-MM-DD/DD”, z późniejszym dniem na końcu.',
    ),
  ]
}

/** A finding for narrators joined by a conjunction, who count as one narrator (FORMATS 10). */
export const conjunctionFindings = (place: SessionPlace, narrator: string | null): ReadonlyArray<Finding> => {
  const joined = narrator === null ? null : plusForm(narrator)
  if (narrator === null || joined === null) return []
  const suggestion = `${place.header.slice(0, place.header.lastIndexOf(narrator))}${joined}`
  const reason = `„${narrator}” jest czytane jako jeden narrator: kilku narratorów łączy znak plus.`
  return [finding(place, 'NarratorConjunction', 'warning', place.line, reason, suggestion)]
}

export const strayBlock = (place: SessionPlace, section: SessionSection): ReadonlyArray<Finding> =>
  section.stray.map(({ line, text, why }) => {
    const [kind, severity, reason, suggestion] = strayKinds[why]
    const mark = why === 'Unknown' ? ' ' : ': '
    return finding(place, kind, severity, line, `${reason}${mark}„${quotableLine(text)}”.`, suggestion)
  })

/** Findings for names in the blocks of a session, and of its narrators, by `signProblem`; each name once. */
export const nameSigns = (
  place: SessionPlace,
  narrators: ReadonlyArray<string>,
  said: Pick<SessionCopy, 'locations' | 'participants' | 'points' | 'changes' | 'transfers' | 'intel'>,
): ReadonlyArray<Finding> => {
  const found = new Map<string, Finding>()
  const look = (name: string, line: number): void => {
    const problem = signProblem(name)
    if (problem !== null) found.set(name, { ...problem, file: place.path, line, subject: place.header })
  }
  for (const name of narrators) look(name, place.line)
  for (const name of said.locations) look(name, place.line)
  for (const name of said.participants) look(name, place.line)
  for (const { character, line } of said.points) look(character, line)
  for (const { entity, line } of said.changes) look(entity, line)
  for (const { source, destination, line } of said.transfers) {
    look(source, line)
    look(destination, line)
  }
  for (const { target, line } of said.intel) look(target, line)
  return found.size === 0 ? noFindings : [...found.values()]
}

const noFindings: ReadonlyArray<Finding> = []

const finding = (
  place: SessionPlace,
  kind: string,
  severity: Severity,
  line: number,
  reason: string,
  suggestion: string | null,
): Finding => ({ kind, severity, file: place.path, line, subject: place.header, reason, suggestion })

const severities: Readonly<Record<Parameters<Notice>[0], Severity>> = {
  MalformedPoints: 'error',
  DuplicatePoints: 'warning',
  DifferingPoints: 'error',
  RepeatedBlock: 'warning',
  MalformedChange: 'warning',
  MalformedTransfer: 'error',
  MalformedIntel: 'warning',
  MalformedLog: 'warning',
}

/** Names that a PU block below a header gives points to; null when there is no such block. */
const readCredits = (below: ReadonlyArray<Line>): ReadonlyArray<string> | null => {
  const start = below.findIndex(
    line => line._tag === 'Item' && line.indent === 0 && blockHead(line.text)?.kind === 'Points',
  )
  if (start < 0) return null
  const rest = below.slice(start + 1)
  const end = rest.findIndex(line => line._tag !== 'Item' || line.indent === 0)
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .flatMap(line => (line._tag === 'Item' ? [readPointsLine(line.text).character] : []))
}

const strayKinds = {
  Indented: ['IndentedBlock', 'warning', 'Wcięty blok jest czytany jako zwykły tekst', 'Usuń wcięcie.'],
  Unknown: ['UnknownBlock', 'info', 'Nie ma bloku sesji o nazwie', null],
  Cut: [
    'CutRow',
    'warning',
    'Blok kodu kończy listę wyżej, więc ten wiersz do niej nie należy',
    'Przenieś blok kodu pod całą listę.',
  ],
} as const
