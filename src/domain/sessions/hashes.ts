import { createHash } from 'node:crypto'
import * as t from 'io-ts'
import { requirePath } from '#protocol/atoms/path.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { rawLines } from '#src/domain/lore/lines/lines.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { readJsonLines } from './json-lines.js'
import type { Session, SessionCopy, Sessions } from './session.js'

/** A line of `.svc/sessions/hashes.jsonl` (LAYOUT): the text of a session that a person last accepted. */
export const HashLine = t.type({ header: t.string, sha256: t.string, at: t.string, by: t.string }, 'HashLine')
export type HashLine = t.TypeOf<typeof HashLine>

export const hashesPath = requirePath('.svc/sessions/hashes.jsonl')

/** The baselines by session key; the last line of each key counts. */
export interface Hashes {
  readonly byKey: ReadonlyMap<string, HashLine>
  readonly findings: ReadonlyArray<Finding>
}

const noHashes: Hashes = { byKey: new Map(), findings: [] }

const parsed = perValue((file: SourceFile): Hashes => {
  const { items, findings } = readJsonLines(file, HashLine, {
    kind: 'SessionHashLine',
    suggestion: 'Przyjmij treść sesji od nowa.',
  })
  return { byKey: new Map(items.map(item => [sessionKey(item.header), item])), findings }
})

/** The baselines in the file; none for null. */
export const parseHashes = (file: SourceFile | null): Hashes => (file === null ? noHashes : parsed(file))

type Written = Pick<SourceFile, 'text'>

const linesIn = perValue((file: Written) => rawLines(file.text))

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

/** `sessionHash`, computed once per copy and file. */
export const hashOfCopy = perValue((copy: SessionCopy) =>
  perValue((file: SourceFile) => sessionHash(file, copy)),
)

const driftOf = (
  session: Session,
  files: ReadonlyMap<string, SourceFile>,
  line: HashLine,
): ReadonlyArray<Finding> => {
  const [primary] = session.copies
  const file = primary === undefined ? undefined : files.get(primary.path)
  if (primary === undefined || file === undefined || hashOfCopy(primary)(file) === line.sha256) return []
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

/**
 * Findings for sessions whose text differs from its baseline, and for baselines whose header no session has.
 */
export const driftFindings = (
  sessions: Sessions,
  files: ReadonlyMap<string, SourceFile>,
): ReadonlyArray<Finding> => {
  const file = files.get(hashesPath) ?? null
  const { byKey, findings } = parseHashes(file)
  const drift = [...byKey].flatMap(([key, line]): ReadonlyArray<Finding> => {
    const session = sessions.byKey.get(key)
    if (session !== undefined) return driftOf(session, files, line)
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
