import { requirePath } from '#protocol/atoms.js'
import type { ConfigName } from '#protocol/host/config.js'
import { formatCount, perValue } from '#src/domain/caching/per-value.js'
import { languageFileNames } from '#src/domain/language/language.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { fileBytesMax, type SourceFile } from '#src/domain/lore/layout.js'
import { contributorsPath } from '#src/domain/people/roster.js'
import { isSamplePath } from '#src/domain/samples/samples.js'
import type { Head, TreeEntry, TreeSource } from '#src/ports/git.js'
import { bytesOf } from '#src/snapshot/budget.js'
import { tooLargeFinding } from './findings.js'
import { decodeFile } from './read-entries.js'

/** Files of a tree of `corpora.*`; `head` is null where the tree is absent or cannot be read. */
export interface NamedFiles {
  readonly head: Head | null
  readonly files: ReadonlyArray<SourceFile>
  readonly findings: ReadonlyArray<Finding>
}

export const noFiles: NamedFiles = { head: null, files: [], findings: [] }

/** The files of such a tree, none of them read. */
export interface NamedEntries extends Omit<NamedFiles, 'files'> {
  readonly entries: ReadonlyArray<TreeEntry>
}

export const noEntries: NamedEntries = { head: null, entries: [], findings: [] }

/** The finding for a `corpora.*` tree that counts as absent, with the reason (D2). */
export const findingOfAbsentTree = (key: ConfigName, reason: string, suggestion: string): Finding => ({
  kind: 'CorpusRefused',
  severity: 'warning',
  file: configPath,
  line: null,
  subject: key,
  reason: `${reason} Host działa tak, jakby tego drzewa nie było.`,
  suggestion,
})

/**
 * Reads the files that the layout names in a `corpora.*` tree, and no others (B 8). Never throws: a tree that
 * cannot be read or exceeds its bounds is absent with a finding, and is tried again at the next look.
 */
export const readNamedFiles = async (
  source: TreeSource | null,
  tree: NamedTree,
  before: NamedFiles,
): Promise<NamedFiles> => {
  if (source === null) return noFiles
  try {
    return await readNamedTree(source, tree, before)
  } catch (error) {
    return failTree(noFiles, before, failureFinding(tree, error))
  }
}

/** Lists what `readNamedFiles` would read. */
export const listNamedFiles = async (
  source: TreeSource | null,
  tree: NamedTree,
  before: NamedEntries,
): Promise<NamedEntries> => {
  if (source === null) return noEntries
  try {
    const head = await source.head()
    return before.head?.id === head.id ? before : await listNamedTree(source, head, tree)
  } catch (error) {
    return failTree(noEntries, before, failureFinding(tree, error))
  }
}

/** Works repository (B 8): the governance ledger and its calendar. */
export const worksTree: NamedTree = {
  key: 'corpora.dziel',
  names: ['governance/calendar.json', 'governance/ledger/'],
  isRead: path => /^governance\/(ledger\/[^/]+\.jsonl|calendar\.json)$/.test(path),
}

/** Language data outside the lore (D57): the corrections of names, titles and lemmas. */
export const languageTree: NamedTree = {
  key: 'corpora.lang',
  names: Object.values(languageFileNames),
  isRead: path => Object.values<string>(languageFileNames).includes(path),
}

/**
 * The moderator repository (A 5.1): the roster, a file in the form of the contributor store
 * (docs/spec/rights.md#a-5-1).
 */
export const moderatorsTree: NamedTree = {
  key: 'corpora.mc',
  names: ['kontrybutorzy.md'],
  isRead: path => path === 'kontrybutorzy.md',
}

/** The annotation tree: lemmas of texts of the lore and of the works tree. */
export const annotationsTree: NamedTree = {
  key: 'corpora.adnotacje',
  names: ['lematy/'],
  isRead: path => path.startsWith('lematy/') && path.endsWith('.json'),
  isDeep: true,
}

/** The labelled samples of the annotation tree. */
export const samplesTree: NamedTree = {
  key: 'corpora.adnotacje',
  names: ['samples/'],
  isRead: isSamplePath,
  isDeep: true,
}

/**
 * The moderator roster among the files of its tree; null where there is none, and then there are no
 * moderators.
 */
export const rosterIn = (files: ReadonlyArray<SourceFile>): SourceFile | null => {
  const [file] = files
  return file === undefined ? null : shown(file)
}

/**
 * The part of a `corpora.*` tree that the layout names: paths, and folders (ending in `/`) some of whose
 * files are read.
 */
export interface NamedTree {
  readonly key: ConfigName
  readonly names: ReadonlyArray<string>
  readonly isRead: (path: string) => boolean
  /** The files lie at any depth below the names, so that the whole tree is listed. */
  readonly isDeep?: true
}

/** The most files that are read of one tree; a community has some dozens. */
const filesMax = 10_000
/** The most bytes that are read of one tree. */
const bytesMax = 256 * 1024 * 1024

const configPath = requirePath('.svc/config.json')

const failureFinding = ({ key }: NamedTree, error: unknown): Finding =>
  findingOfAbsentTree(
    key,
    `Drzewa z ${key} nie da się odczytać: ${error instanceof Error ? error.message : String(error)}.`,
    'Sprawdź repozytorium i połączenie z dyskiem.',
  )

/** What stands for a tree that failed: the same object as before where it failed in the same way. */
const failTree = <A extends Omit<NamedFiles, 'files'>>(none: A, before: A, finding: Finding): A =>
  before.head === null && before.findings[0]?.reason === finding.reason
    ? before
    : { ...none, findings: [finding] }

const filesForm = ['plik', 'pliki', 'plików'] as const

/** The named files of a tree at its head that are small enough to be read. */
const listNamedTree = async (
  source: TreeSource,
  head: Head,
  { key, names, isRead, isDeep }: NamedTree,
): Promise<NamedEntries> => {
  const { entries } = await (isDeep === true ? source.list(head) : source.listAt(head, names))
  const wanted = entries.filter(({ path }) => isRead(path))
  const [small, large] = [wanted.filter(isSmall), wanted.filter(entry => !isSmall(entry))]
  if (small.length > filesMax) throw new Error(`więcej niż ${formatCount(filesMax, filesForm)}`)
  return {
    head,
    entries: small,
    findings: large.map(entry => tooLargeFinding({ ...entry, path: requirePath(`${key}/${entry.path}`) })),
  }
}

const readNamedTree = async (
  source: TreeSource,
  tree: NamedTree,
  before: NamedFiles,
): Promise<NamedFiles> => {
  const head = await source.head()
  if (before.head?.id === head.id) return before
  const { entries, findings } = await listNamedTree(source, head, tree)
  if (entries.reduce((sum, entry) => sum + bytesOf(entry), 0) > bytesMax)
    throw new Error(`więcej niż ${bytesMax / 1024 / 1024} MiB`)
  const known = new Map(before.files.map(file => [file.path, file]))
  const files: Array<SourceFile> = []
  for (const entry of entries) {
    const old = known.get(entry.path)
    const bytes = old?.blob === entry.blob ? null : await source.read(entry)
    if (old?.blob === entry.blob) files.push(old)
    else if (bytes !== null) files.push(decodeFile(entry, bytes))
  }
  return { head, files, findings }
}

/** A size that git does not know is NaN: such a file is read, which shows that its object is lost. */
const isSmall = ({ bytes }: TreeEntry): boolean => !(bytes > fileBytesMax)

/** The path that findings show, because the file lies in another repository than the lore. */
const shownPath = requirePath(`corpora.mc/${contributorsPath}`)

const shown = perValue((file: SourceFile): SourceFile => ({ ...file, path: shownPath }))
