import { availableParallelism } from 'node:os'
import { type Either, isLeft, right, toError } from 'fp-ts/lib/Either.js'
import { tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type LoadPorts, load } from '#actors/corpus-keeper/load.js'
import {
  annotationsTree,
  findingOfAbsentTree,
  languageTree,
  moderatorsTree,
  worksTree,
} from '#actors/corpus-keeper/named-files.js'
import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import { type BlobId, type FurtherTree, furtherTrees, RepoPath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import {
  openCorpusTree,
  type TreeRefusal,
  type TreeRule,
  type TreeStanding,
} from '#src/adapters/git/corpus-tree.js'
import { fileVersions } from '#src/adapters/history/git-history.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import { reportChatAddresses } from '#src/domain/config/addresses.js'
import { boundThreads } from '#src/domain/config/bounded-threads.js'
import {
  type ConfigFault,
  type ConfigFile,
  configIn,
  invalidConfigFinding,
  type ReadConfig,
  readConfig,
  sizeFault,
} from '#src/domain/config/read-config.js'
import { boundDispatchWindow, configPath, isAboutSchedules } from '#src/domain/config/schedules.js'
import { unknownKeys } from '#src/domain/config/unknown-keys.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { civilDay } from '#src/domain/lore/rows/days.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { openSource, type Stop } from '../start/checkout.js'
import { viewTrust } from '../start/host-trust.js'

/** The configuration that a committed file gives; null: the defaults. */
export const configOf = (file: SourceFile | null): Config =>
  (file === null ? readConfig(null) : readWhole(file)).config

/**
 * The findings for an uncommitted configuration, by the rules for a committed one; left where it does not
 * parse.
 */
export const judgeConfig = (bytes: Buffer): Either<ConfigFault, ReadonlyArray<Finding>> => {
  const path = RepoPath.decode(configPath)
  if (isLeft(path)) return right([])
  const file = { path: path.right, text: new TextDecoder().decode(bytes) }
  const parsed = configIn(file)
  return isLeft(parsed) ? parsed : right(readWhole(file).findings)
}

/**
 * The configuration of the current commit; read once at boot (B 8). Where it does not parse, the newest of
 * its last 100 versions that parses is used, otherwise the defaults; a finding of severity error reports it
 * (D53). A file that exceeds `configBounds` is not read.
 */
export const readCommittedConfig = async (source: TreeSource): Promise<CommittedConfig> => {
  const { entries } = await source.listAt(await source.head(), [configPath])
  for (const entry of entries) {
    const large = sizeFault(entry.bytes)
    if (large !== null) return substitute(source, entry, large)
  }
  const found = await source.file(configPath)
  const file = found === null ? null : fileOf(found.blob, found.bytes)
  if (file === null) return { ...readConfig(null), fault: null, file }
  const parsed = configIn(file)
  return isLeft(parsed) ? substitute(source, file, parsed.left) : { ...readWhole(file), fault: null, file }
}

/** The inputs of the keeper's load: the lore, the configured trees, and the civil day. */
export const loadPorts = async (
  source: TreeSource,
  { config, findings, trees: rule, rememberTrees = () => undefined }: LoadSettings,
): Promise<LoadPorts> => {
  const trees = await openCorpusTrees(source, config, rule)
  rememberTrees(trees.outside)
  return {
    lore: source,
    works: trees.works,
    moderators: trees.moderators,
    language: trees.language,
    annotations: trees.annotations,
    trees: trees.further,
    config,
    today: () => civilDay(realClock.nowMs(), config['server.time_zone']),
    breathe: daemonBreather(),
    // The schedules are read from each commit, and so are their findings.
    bootFindings: [...findings.filter(one => !isAboutSchedules(one)), ...trees.findings],
  }
}

/** Closes the trees beside the lore. */
export const closeTrees = async ({ works, moderators, language, trees }: LoadPorts): Promise<void> => {
  for (const tree of [works, moderators, language, ...(trees?.values() ?? [])]) await tree?.close()
}

/** One snapshot of a directory, for commands that do not serve. */
export const oneSnapshot = async (directory: string): Promise<Either<Stop, Snapshot>> => {
  const opened = await openSource(directory)
  if (isLeft(opened)) return opened
  const source = opened.right
  try {
    const committed = await readCommittedConfig(source)
    const ports = await loadPorts(source, viewTrust(lastStateArea(source.path), committed))
    try {
      const loaded = await load(ports, null)
      if (loaded === null) throw new Error('a first load always loads')
      return right(loaded.build.snapshot)
    } finally {
      await closeTrees(ports)
    }
  } finally {
    await source.close()
  }
}

/** How many versions are searched for one that parses (D53). */
const versionsMax = 100

/** The configuration of a host, with the version of the file that it comes from. */
interface CommittedConfig extends ReadConfig {
  /** Why the committed version is not used; null where it is. */
  readonly fault: ConfigFault | null
  /** The version that is used; null where there is none. */
  readonly file: ConfigFile | null
}

const fileOf = (blob: BlobId, bytes: Buffer): SourceFile | null => {
  const path = RepoPath.decode(configPath)
  return isLeft(path) ? null : decodeFile({ path: path.right, blob, bytes: bytes.length }, bytes)
}

/** The newest earlier version of the configuration that parses; null where none of the last 100 does. */
const earlierVersion = async (source: TreeSource, current: Pick<TreeEntry, 'path' | 'blob'>) => {
  if (source.kind !== 'git') return null
  for (const { commit, blob } of await fileVersions(source.path, configPath, versionsMax)) {
    if (blob === current.blob) continue
    // A version whose object git lost counts as not parsing: an older one may be intact.
    const bytes = await source.read({ path: current.path, blob, bytes: 0 }).catch(() => null)
    const file = bytes === null || sizeFault(bytes.length) !== null ? null : fileOf(blob, bytes)
    if (file !== null && !isLeft(configIn(file))) return { commit, file }
  }
  return null
}

const readWhole = (file: ConfigFile): ReadConfig => {
  const read = reportChatAddresses(file, boundDispatchWindow(file, readConfig(file)))
  const { config, findings } = boundThreads(file, read, availableParallelism())
  return { config, findings: [...findings, ...unknownKeys(file)] }
}

/** Nothing is pushed while the owner's settings are unknown. */
const unset: ReadConfig['config'] = { ...readConfig(null).config, 'server.publish_mode': 'none' }

/** The replacement for a version that does not parse. */
const substitute = async (
  source: TreeSource,
  file: Pick<TreeEntry, 'path' | 'blob'>,
  fault: ConfigFault,
): Promise<CommittedConfig> => {
  const searched = await tryCatch(() => earlierVersion(source, file), toError)()
  const earlier = isLeft(searched) ? null : searched.right
  if (earlier === null) {
    const why = isLeft(searched)
      ? `git could not search the earlier versions (${searched.left.message})`
      : 'no earlier version parses'
    const instead = `the default of every key and publishes nothing, since ${why}`
    return { config: unset, findings: [invalidConfigFinding(file, fault, instead)], fault, file: null }
  }
  const { config, findings } = readWhole(earlier.file)
  const instead = `the version of commit ${earlier.commit}`
  return {
    config,
    findings: [invalidConfigFinding(file, fault, instead), ...findings],
    fault,
    file: earlier.file,
  }
}

/** The configuration, and which of its trees may be read. */
interface LoadSettings extends ReadConfig {
  readonly trees: TreeRule
  /** Receives the real paths of the trees outside the lore that are read. */
  readonly rememberTrees?: (roots: ReadonlyArray<string>) => void
}

type TreeKey = Extract<keyof Config, `corpora.${string}`>

const treeKeys: ReadonlyArray<TreeKey> = [
  'corpora.mc',
  'corpora.dziel',
  'corpora.adnotacje',
  'corpora.probki',
  'corpora.logi',
  'corpora.lang',
]

/** In a plain folder, the names of trees whose files lie at any depth. */
const folders = [
  { key: worksTree.key, names: [...worksTree.names, '**'] },
  { key: annotationsTree.key, names: ['lematy/**', 'samples/**'] },
  { key: 'corpora.logi', names: ['**'] },
  { key: 'corpora.probki', names: ['**'] },
] as const

const reasons: Readonly<Record<TreeRefusal, string>> = {
  path: 'ma wartość, która nie jest ścieżką.',
  silent: 'wskazuje miejsce, które nie odpowiada od 5 s.',
  neither:
    'nie wskazuje ani repozytorium git, na które pozwala operator hosta, ani folderu wewnątrz repozytorium z lore.',
}

const suggestion =
  'Wpisz ścieżkę sklonowanego repozytorium albo usuń ten klucz, zatwierdź zmianę i uruchom host ponownie. ' +
  'Na repozytorium poza lore pozwala operator: kronika trust --tree FOLDER albo kronika serve --allow-tree FOLDER.'

const unlistedReasons: Readonly<Partial<Record<TreeStanding, string>>> = {
  read: 'na które operator hosta nie pozwolił; host czyta je, bo czytał je już wcześniej.',
  unknown: 'które host czyta tylko za zgodą swojego operatora.',
}

/** The finding for a tree outside the lore that the operator did not allow, and that is read all the same. */
const unlistedFinding = (key: TreeKey, standing: TreeStanding): ReadonlyArray<Finding> => {
  const reason = unlistedReasons[standing]
  if (reason === undefined) return []
  return [
    {
      kind: 'CorpusUnlisted',
      severity: standing === 'read' ? 'warning' : 'info',
      file: configPath,
      line: null,
      subject: key,
      reason: `Klucz ${key} wskazuje drzewo poza lore, ${reason}`,
      suggestion:
        'Pozwól na nie na hoście: kronika trust --tree FOLDER albo kronika serve --allow-tree FOLDER; ' +
        'potem uruchom host ponownie.',
    },
  ]
}

/** The configured trees that this host reads; a refused one counts as absent, with a finding (D2). */
interface CorpusTrees {
  readonly works: TreeSource | null
  readonly moderators: TreeSource | null
  readonly language: TreeSource | null
  readonly annotations: TreeSource | null
  /** Those of transcripts, annotations and samples. */
  readonly further: ReadonlyMap<FurtherTree, TreeSource>
  readonly findings: ReadonlyArray<Finding>
  /** Real paths of those outside the lore. */
  readonly outside: ReadonlyArray<string>
}

/** Opens the trees of `corpora.*` at the start of a host. Finding out what a tree is takes at most 5 s. */
const openCorpusTrees = async (
  { path: lore }: TreeSource,
  config: Config,
  rule: TreeRule,
): Promise<CorpusTrees> => {
  const opened = await Promise.all(
    treeKeys.map(async key => {
      if (config[key] === '') return { key, tree: null, outside: [], findings: [] }
      const names =
        [...folders, worksTree, moderatorsTree, languageTree].find(tree => tree.key === key)?.names ?? []
      const tree = await openCorpusTree({ lore, rule }, config[key], names, realClock.monotonicMs)
      return isLeft(tree)
        ? {
            key,
            tree: null,
            outside: [],
            findings: [findingOfAbsentTree(key, `Klucz ${key} ${reasons[tree.left]}`, suggestion)],
          }
        : {
            key,
            tree: tree.right.source,
            outside: tree.right.standing === 'lore' ? [] : [tree.right.root],
            findings: unlistedFinding(key, tree.right.standing),
          }
    }),
  )
  const treeOf = (key: TreeKey): TreeSource | null => opened.find(one => one.key === key)?.tree ?? null
  return {
    works: treeOf('corpora.dziel'),
    moderators: treeOf('corpora.mc'),
    language: treeOf('corpora.lang'),
    annotations: treeOf('corpora.adnotacje'),
    further: new Map(
      furtherTrees.flatMap(name => {
        const tree = treeOf(`corpora.${name}`)
        return tree === null ? [] : [[name, tree] as const]
      }),
    ),
    findings: opened.flatMap(one => one.findings),
    outside: opened.flatMap(one => one.outside),
  }
}
