import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findingOfNotice } from './noticed.js'

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
