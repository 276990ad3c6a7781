import { createHash } from 'node:crypto'
import * as t from 'io-ts'
import { requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { ledgerKey, ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { readJsonLines, sessionsByLedgerKey } from './effects/closed-sessions.js'
import { formerRawLines, parseFormerFileInSlices } from './reading/session-file.js'
import type { Session, SessionCopy, Sessions } from './session.js'

/** A line of `.svc/sessions/hashes.jsonl` (LAYOUT): the text of a session that a person last accepted. */
export const HashLine = t.type({ header: t.string, sha256: t.string, at: t.string, by: t.string }, 'HashLine')
export type HashLine = t.TypeOf<typeof HashLine>

export const hashesPath = requirePath('.svc/sessions/hashes.jsonl')

/** The baselines. Of several lines for one session the last one counts. */
export interface Hashes {
  readonly lines: ReadonlyArray<HashLine>
  readonly of: (session: Pick<Session, 'key' | 'header'>) => HashLine | null
  readonly findings: ReadonlyArray<Finding>
}

/** The baselines in the file; none for null. */
export const parseHashes = (file: SourceFile | null): Hashes => (file === null ? noHashes : parsed(file))

/**
 * The hashed text of a session: header to last line of its primary copy, lines ended by LF
 * (docs/spec/sessions.md#baselines).
 */
export const textToHash = (file: Written, copy: Pick<SessionCopy, 'line' | 'endLine'>): string =>
  `${linesIn(file)
    .slice(copy.line - 1, copy.endLine)
    .join('\n')}\n`

/** SHA-256 of a session's text, 64 hex digits. */
export const sessionHash = (file: Written, copy: Pick<SessionCopy, 'line' | 'endLine'>): string =>
  createHash('sha256').update(textToHash(file, copy), 'utf8').digest('hex')

const linesIn = perValue((file: Written) => rawLines(file.text))

/** `sessionHash`, computed once per copy and file. */
export const hashOfCopy = perValue((copy: SessionCopy) =>
  perValue((file: SourceFile) => sessionHash(file, copy)),
)

/** Whether the text of a session has a hash, by its present or its former end. */
export const hasHash = (
  session: Session,
  files: ReadonlyMap<string, SourceFile>,
  sha256: string,
): boolean => {
  const [primary] = session.copies
  const file = primary === undefined ? undefined : files.get(primary.path)
  if (primary === undefined || file === undefined) return false
  return hashOfCopy(primary)(file) === sha256 || formerHashes(file).has(`${ledgerKeyOf(session)}\n${sha256}`)
}

/**
 * Findings for sessions whose text differs from its baseline, and for baselines whose header no session has.
 */
export const driftFindings = (
  sessions: Sessions,
  files: ReadonlyMap<string, SourceFile>,
): ReadonlyArray<Finding> => {
  const file = files.get(hashesPath) ?? null
  const { lines, of, findings } = parseHashes(file)
  const drift = lines.flatMap((line): ReadonlyArray<Finding> => {
    const session =
      sessions.byKey.get(sessionKey(line.header)) ?? sessionsByLedgerKey(sessions).get(ledgerKey(line.header))
    if (session !== undefined) return of(session) === line ? driftOf(session, files, line) : []
    return file === null
      ? []
      : [
          {
            kind: 'StaleSessionHash',
            severity: 'info',
            file: file.path,
            line: null,
            subject: line.header,
            reason: 'Przyjęto treść sesji o tym nagłówku, ale żadna sesja go nie ma.',
            suggestion: null,
          },
        ]
  })
  return [...findings, ...drift]
}

const noHashes: Hashes = { lines: [], of: () => null, findings: [] }

const parsed = perValue((file: SourceFile): Hashes => {
  const { items, findings } = readJsonLines(file, HashLine, {
    kind: 'SessionHashLine',
    suggestion: 'Przyjmij treść sesji od nowa.',
  })
  const byKey = new Map(items.map(item => [sessionKey(item.header), item]))
  // A header in other letters means its session unless the file has a line with these very letters.
  const byLedgerKey = new Map(items.map(item => [ledgerKey(item.header), item]))
  return {
    lines: [...byKey.values()],
    of: session => byKey.get(session.key) ?? byLedgerKey.get(ledgerKeyOf(session)) ?? null,
    findings,
  }
})

type Written = Pick<SourceFile, 'text'>

/** The hashes of the sessions of a file under the former reader, each behind the key of its session. */
const formerHashes = perValue((file: SourceFile): ReadonlySet<string> => {
  const lines = formerRawLines(file.text)
  return new Set(
    atOnce(parseFormerFileInSlices(file)).map(copy => {
      const text = `${lines.slice(copy.line - 1, copy.endLine).join('\n')}\n`
      return `${ledgerKeyOf(copy)}\n${createHash('sha256').update(text, 'utf8').digest('hex')}`
    }),
  )
})

const driftOf = (
  session: Session,
  files: ReadonlyMap<string, SourceFile>,
  line: HashLine,
): ReadonlyArray<Finding> => {
  const [primary] = session.copies
  if (primary === undefined || !files.has(primary.path) || hasHash(session, files, line.sha256)) return []
  return [
    {
      kind: 'SessionDrift',
      severity: 'warning',
      file: primary.path,
      line: primary.line,
      subject: session.header,
      reason: `Treść sesji różni się od przyjętej (${line.by}, ${line.at}).`,
      suggestion: 'Cofnij zmianę albo przyjmij treść sesji od nowa.',
    },
  ]
}
