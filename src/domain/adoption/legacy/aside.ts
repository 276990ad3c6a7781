import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { rawLines } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findingOfNotice } from './noticed.js'

/** Location texts that a reviewer excluded as no place, one per line; `#` starts a comment (FORMATS 8). */
export const readExclusions = (file: SourceFile | undefined): ReadonlySet<NameKey> =>
  new Set(
    (file === undefined ? [] : rawLines(file.text))
      .map(line => line.trim())
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(nameKey),
  )

const Phase = t.type({ Status: t.string })
const State = t.type({ Phases: t.record(t.string, Phase) })

/** A finding about the progress of the predecessor's own migration, for information only (FORMATS 9). */
export const migrationFindings = (file: SourceFile | undefined): ReadonlyArray<Finding> => {
  if (file === undefined) return []
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  const state = isLeft(parsed) ? parsed : State.decode(parsed.right)
  const said = isLeft(state)
    ? 'cannot be read'
    : Object.entries(state.right.Phases)
        .map(([phase, { Status }]) => `phase ${phase} ${Status}`)
        .join(', ')
  return [
    findingOfNotice({
      kind: 'LegacyMigrationState',
      severity: 'info',
      file: file.path,
      line: null,
      reason: `The predecessor's migration state: ${said}. Adoption does not depend on it.`,
    }),
  ]
}
