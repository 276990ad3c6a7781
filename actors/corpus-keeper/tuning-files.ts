import { requirePath } from '#protocol/atoms.js'
import type { Method } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { type Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { isTuningPath, readTuningFile, setsPath, type TuningFile } from '#src/domain/samples/tuning.js'
import { buildTuning, noTuning, type TuningStore } from '#src/domain/samples/tuning-store.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import { unreadableFinding } from './findings.js'
import { listNamedFiles, type NamedEntries, type NamedTree, noEntries } from './named-files.js'
import { decodeFile } from './read-entries.js'

/** The store of fine-tuning samples as the last look read it. */
export interface TuningRead {
  readonly entries: NamedEntries
  readonly store: TuningStore
  /** Paths of files that could not be read; the next look tries them again. */
  readonly lost: ReadonlyArray<string>
  /** Findings of the tree and of its rows, under the path that people are shown: it lies in another repository. */
  readonly findings: ReadonlyArray<Finding>
}

export interface TuningPorts {
  /** Null where the host has no such tree, or may not read it. */
  readonly source: TreeSource | null
  /** Whether `corpora.probki` names a tree. */
  readonly isConfigured: boolean
  /** Yields to the event loop when the slice of time is used up. */
  readonly breathe: () => Promise<void>
}

/**
 * Reads the store, one file after another; a file that has not changed is not read again, and no text is held. Never
 * throws: a tree that cannot be read has no rows, with a finding, and is tried again at the next look.
 */
export const readTuning = async (ports: TuningPorts, before: TuningRead | null): Promise<TuningRead> => {
  const { source, isConfigured, breathe } = ports
  if (source === null) return isConfigured ? refusedTuning : absentTuning
  const entries = await listNamedFiles(source, tuningTree, before?.entries ?? noEntries)
  if (before !== null && before.entries === entries && before.lost.length === 0) return before
  const { head } = entries
  if (head === null)
    return { entries, store: noTuning('StoreUnreadable'), lost: [], findings: entries.findings }
  const findings: Array<Finding> = [...entries.findings]
  const lost: Array<string> = []
  const files: Array<TuningFile> = []
  let sets: SourceFile | null = null
  for (const entry of entries.entries) {
    const old = before?.store.files.get(entry.path)
    if (old !== undefined && old.blob === entry.blob) {
      files.push(old)
      continue
    }
    const bytes = await readBytes(source, entry)
    if (bytes === null) {
      lost.push(entry.path)
      findings.push(shown(unreadableFinding(entry)))
    } else if (entry.path === setsPath) sets = decodeFile(entry, bytes)
    else files.push(await runWithPauses(readTuningFile(entry, bytes, isServed), breathe))
  }
  if (before?.entries === entries && before.lost.join('\n') === lost.join('\n')) return before
  const store = await runWithPauses(buildTuning({ commit: head.commit, sets, files }), breathe)
  return { entries, store, lost, findings: [...findings, ...store.findings.map(shown)] }
}

const tuningTree: NamedTree = {
  key: 'corpora.probki',
  names: [],
  isRead: isTuningPath,
  isDeep: true,
}

const shown = (finding: Finding): Finding => ({
  ...finding,
  file: requirePath(`corpora.probki/${finding.file}`),
})

const absentTuning: TuningRead = {
  entries: noEntries,
  store: noTuning('NoStoreConfigured'),
  lost: [],
  findings: [],
}

/** The start of the host has the finding that says why. */
const refusedTuning: TuningRead = {
  entries: noEntries,
  store: noTuning('StoreRefused'),
  lost: [],
  findings: [],
}

/** The bytes of a file; null where they cannot be read. */
const readBytes = (source: TreeSource, entry: TreeEntry): Promise<Buffer | null> =>
  source.read(entry).catch(() => null)

/** The methods and the segments of the paths of every row; null stands for a part of the path. */
const served: ReadonlyArray<readonly [method: Method, segments: ReadonlyArray<string | null>]> =
  Object.values(routes).map(({ method, path }) => [
    method,
    path.split('/').map(part => (part.startsWith('{') ? null : part)),
  ])

/** Whether the table of rows has a row for a call; a path may begin with the prefix of this host. */
const isServed = (method: string, path: string): boolean => {
  const segments = (path.startsWith('/v1/api/') ? path.slice('/v1/api'.length) : path).split('/')
  return served.some(
    ([known, parts]) =>
      known === method &&
      parts.length === segments.length &&
      parts.every((part, at) => (part === null ? segments[at] !== '' : part === segments[at])),
  )
}
