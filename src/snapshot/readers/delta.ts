import type { CommitId, Day } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { parseContributorStore } from '#src/domain/people/contributor-store.js'
import { type LogArchive, noArchive } from '#src/domain/transcripts/archive.js'
import type { Inputs } from '../build.js'
import type { ParsedFile } from '../parsed-file.js'
import type { TreeHeads } from '../snapshot.js'

/** The difference between the inputs of two snapshots, without the texts of changed files. */
export interface Delta {
  readonly generation: number
  readonly commit: CommitId | null
  readonly id: string
  readonly treeHeads: TreeHeads
  readonly day: Day
  /** Null when the configuration is the same object, as in every delta to a thread after its first. */
  readonly config: Config | null
  /** All paths in order; null when they are the same as before. */
  readonly paths: ReadonlyArray<string> | null
  /** Null when the works tree is the same. */
  readonly works: Works | null
  /** Null when the files of `corpora.lang` are the same. */
  readonly language: { readonly files: Language } | null
  /** Null when the lemmas of sidecars are the same. */
  readonly lexicon: { readonly file: SourceFile | null } | null
  /** Null when the archive of transcripts is the same. */
  readonly archive: LogArchive | null
  readonly findings: ReadonlyArray<Finding>
}

/** The delta that a thread with the inputs `before` needs; null means a thread without any. */
export const deltaOf = (before: Inputs | null, after: Inputs, generation: number): Delta => ({
  generation,
  commit: after.commit,
  id: after.id,
  treeHeads: after.treeHeads,
  day: after.day,
  config: before?.config === after.config ? null : after.config,
  paths: before !== null && samePaths(before.lore, after.lore) ? null : [...after.lore.keys()],
  works: before !== null && sameWorks(before.works, after.works) ? null : after.works,
  language:
    before !== null && sameLanguage(before.language, after.language) ? null : { files: after.language },
  lexicon: before !== null && before.lexicon === after.lexicon ? null : { file: after.lexicon ?? null },
  archive: before !== null && before.archive === after.archive ? null : (after.archive ?? noArchive),
  // No thread has the roster of moderators, only its findings.
  findings: [...after.findings, ...(after.moderators === null ? [] : findingsOfRoster(after.moderators))],
})

/**
 * Files, in order, that a thread with the inputs `before` does not have. Unchanged files are recognised by
 * object identity.
 */
export const findChangedFiles = (before: Inputs | null, after: Inputs): ReadonlyArray<SourceFile> => {
  const changed: Array<SourceFile> = []
  for (const [path, file] of after.lore)
    if (before?.lore.get(path)?.source !== file.source) changed.push(file.source)
  return changed
}

/**
 * The inputs after a delta; `parsed` holds the changed files. Throws when a file is missing, because the
 * thread then differs from the main one.
 */
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
  const works = delta.works === null ? before?.works : keepWorks(before?.works, delta.works)
  if (works === undefined) throw new Error('the reader has no works tree to keep')
  const language =
    delta.language === null ? before?.language : keepLanguage(before?.language ?? null, delta.language.files)
  if (language === undefined) throw new Error('the reader has no language data to keep')
  const config = delta.config ?? before?.config
  if (config === undefined) throw new Error('the reader has no configuration to keep')
  const lexicon = delta.lexicon === null ? (before?.lexicon ?? null) : delta.lexicon.file
  const archive = delta.archive ?? before?.archive ?? noArchive
  const { commit, id, treeHeads, day, findings } = delta
  const trees = { lore, works, language, lexicon, moderators: null }
  return { commit, id, treeHeads, day, config, ...trees, leftOut: noPaths, archive, findings }
}

type Lore = Inputs['lore']
type Works = Inputs['works']
type Language = Inputs['language']

const findingsOfRoster = perValue((roster: SourceFile) => parseContributorStore(roster).findings)

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

const sameLanguage = (before: Language, after: Language): boolean =>
  before?.forms === after?.forms && before?.titles === after?.titles && before?.lemmas === after?.lemmas

/** Keeps the objects of unchanged files, so that the build reuses what it made of them. */
const keepWorks = (before: Works | undefined, after: Works): Works => {
  const known = new Map(before?.files.map(file => [file.path, file]))
  return {
    corpus: after.corpus,
    files: after.files.map(file => {
      const old = known.get(file.path)
      return old?.blob === file.blob ? old : file
    }),
  }
}

/** Keeps the objects of unchanged files, as `keepWorks` does. */
const keepLanguage = (before: Language, after: Language): Language => {
  if (before === null || after === null) return after
  const keep = (old: SourceFile | null, next: SourceFile | null): SourceFile | null =>
    old !== null && old.blob === next?.blob ? old : next
  return {
    forms: keep(before.forms, after.forms),
    titles: keep(before.titles, after.titles),
    lemmas: keep(before.lemmas, after.lemmas),
  }
}

/** Only writes and `/health` use the paths that are left out, and no reader thread answers those. */
const noPaths: ReadonlySet<string> = new Set()
