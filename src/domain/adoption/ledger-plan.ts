import { type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { nameIndexOf } from '#src/domain/names/name-index.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Award, Batch } from '#src/domain/points/batch.js'
import { parseBatches } from '#src/domain/points/batches.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import type { History, HistoryRun } from './legacy/history.js'
import { findingOfNotice } from './legacy/noticed.js'

export const batchesPath = '.svc/pu/batches.jsonl'

/** A JSON-lines file with lines appended; null when there are none. */
export const extendText = (file: SourceFile | undefined, lines: ReadonlyArray<string>): string | null => {
  if (lines.length === 0) return null
  const before = file?.text ?? ''
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return `${before}${gap}${lines.join('\n')}\n`
}

const awardOf = (character: string): Award => ({
  character,
  granted: null,
  sumaBefore: null,
  sumaAfter: null,
  nadmiarBefore: null,
  nadmiarAfter: null,
})

/** The month of all the sessions; null when they span several or none is known. */
const monthOf = (sessions: ReadonlyArray<Session>): string | null => {
  const months = new Set(sessions.map(session => session.date.slice(0, 7)))
  return months.size === 1 ? ([...months][0] ?? null) : null
}

const awardsOf = (sessions: ReadonlyArray<Session>, entities: Entities): ReadonlyArray<Award> => {
  const names = nameIndexOf(entities)
  const written = sessions.flatMap(session => session.points.map(points => points.character))
  const owners = written.map(
    name => resolveName(names, name, { types: ['Postać'], upTo: 'alias' }).entity?.name ?? name,
  )
  return [...new Set(owners)].map(awardOf)
}

const batchOf = (run: HistoryRun, byHistoryKey: ReadonlyMap<NameKey, Session>, entities: Entities): Batch => {
  const known = run.sessions.flatMap(({ header }) => byHistoryKey.get(nameKey(header)) ?? [])
  return {
    id: run.stamp === null ? 'legacy' : `legacy ${run.stamp}`,
    month: monthOf(known),
    at: run.at,
    source: 'legacy',
    sessions: run.sessions.map(({ header }) => byHistoryKey.get(nameKey(header))?.header ?? header),
    awards: awardsOf(known, entities),
  }
}

/** Joins runs with one stamp into one batch: the predecessor appended twice within a minute. */
const oneEach = (runs: ReadonlyArray<HistoryRun>): ReadonlyArray<HistoryRun> => {
  const byStamp = new Map<string | null, HistoryRun>()
  for (const run of runs) {
    const before = byStamp.get(run.stamp)
    byStamp.set(
      run.stamp,
      before === undefined ? run : { ...before, sessions: [...before.sessions, ...run.sessions] },
    )
  }
  return [...byStamp.values()]
}

/**
 * The PU ledger with a batch for each run of the history: its time is kept, its grants are unknown (FORMATS
 * 9, step 9). History is compared without case (FORMATS 6.3).
 */
export const planBatches = (
  file: SourceFile | undefined,
  history: History,
  historyPath: RepoPath | null,
  sessions: Sessions,
  entities: Entities,
): { readonly text: string | null; readonly findings: ReadonlyArray<Finding> } => {
  const byHistoryKey = new Map(sessions.all.map(session => [nameKey(session.key), session]))
  const { ids } = parseBatches(file ?? null)
  const batches = oneEach(history.runs).map(run => batchOf(run, byHistoryKey, entities))
  const stale = history.runs
    .flatMap(run => run.sessions)
    .filter(({ header }) => !byHistoryKey.has(nameKey(header)))
  return {
    text: extendText(
      file,
      batches.filter(batch => !ids.has(batch.id)).map(batch => JSON.stringify(batch)),
    ),
    findings:
      historyPath === null
        ? []
        : stale.map(({ header, line }) =>
            findingOfNotice({
              kind: 'StaleHistoryHeader',
              severity: 'info',
              file: historyPath,
              line,
              subject: header,
              reason: `The history names the session "${header}", which is in no file; it was kept in its batch.`,
            }),
          ),
  }
}
