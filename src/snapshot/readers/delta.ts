import type { CommitId } from '#protocol/atoms/commit.js'
import type { Day } from '#protocol/atoms/day.js'
import type { Config } from '#protocol/config/keys.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Inputs } from '../build.js'
import type { ParsedFile } from '../parsed-file.js'

type Lore = Inputs['lore']
type Works = Inputs['works']

/** How the inputs of one snapshot differ from those of another, beside the texts of changed files. */
export interface Delta {
  readonly generation: number
  readonly commit: CommitId | null
  readonly id: string
  readonly day: Day
  /** null: the very same configuration, as in every delta to a thread but its first. */
  readonly config: Config | null
  /** Every path in its order; null: the same files as before. */
  readonly paths: ReadonlyArray<string> | null
  /** null: the very same works tree. */
  readonly works: Works | null
  readonly findings: ReadonlyArray<Finding>
}

const samePaths = (before: Lore, after: Lore): boolean => {
  if (before.size !== after.size) return false
  const others = before.keys()
  for (const path of after.keys()) if (others.next().value !== path) return false
  return true
}

const sameWorks = (before: Works, after: Works): boolean =>
  before.corpus === after.corpus &&
  before.files.length === after.files.length &&
  before.files.every((file, at) => file === after.files[at])

/** What to tell one who has `before`. */
export const deltaOf = (before: Inputs | null, after: Inputs, generation: number): Delta => ({
  generation,
  commit: after.commit,
  id: after.id,
  day: after.day,
  config: before?.config === after.config ? null : after.config,
  paths: before !== null && samePaths(before.lore, after.lore) ? null : [...after.lore.keys()],
  works: before !== null && sameWorks(before.works, after.works) ? null : after.works,
  findings: after.findings,
})

/** The files that one who has `before` lacks, in order. A file that was kept is the very same object. */
export const changedFiles = (before: Inputs | null, after: Inputs): ReadonlyArray<SourceFile> => {
  const changed: Array<SourceFile> = []
  for (const [path, file] of after.lore)
    if (before?.lore.get(path)?.source !== file.source) changed.push(file.source)
  return changed
}

/** Files that did not change stay the very same objects, so that the build takes over what was made of them. */
const keptWorks = (before: Works | undefined, after: Works): Works => {
  const known = new Map(before?.files.map(file => [file.path, file]))
  return {
    corpus: after.corpus,
    files: after.files.map(file => {
      const old = known.get(file.path)
      return old?.blob === file.blob ? old : file
    }),
  }
}

/** What is left out is asked for by writes and `/health`, which no reader thread answers. */
const noPaths: ReadonlySet<string> = new Set()

/** The inputs after a delta; `parsed` are the changed files. Throws where one is missing: the threads disagree. */
export const inputsAfter = (
  before: Inputs | null,
  parsed: ReadonlyMap<string, ParsedFile>,
  delta: Delta,
): Inputs => {
  const lore = new Map<string, ParsedFile>()
  for (const path of delta.paths ?? before?.lore.keys() ?? []) {
    const file = parsed.get(path) ?? before?.lore.get(path)
    if (file === undefined) throw new Error(`the reader has no file ${path}`)
    lore.set(path, file)
  }
  const works = delta.works === null ? before?.works : keptWorks(before?.works, delta.works)
  if (works === undefined) throw new Error('the reader has no works tree to keep')
  const config = delta.config ?? before?.config
  if (config === undefined) throw new Error('the reader has no configuration to keep')
  const { commit, id, day, findings } = delta
  return { commit, id, day, config, lore, works, moderators: null, leftOut: noPaths, findings }
}
