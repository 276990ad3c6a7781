import { isLeft } from 'fp-ts/lib/Either.js'
import {
  annotationsTree,
  findingOfAbsentTree,
  languageTree,
  moderatorsTree,
  worksTree,
} from '#actors/corpus-keeper/named-files.js'
import type { Config } from '#protocol/config.js'
import {
  openCorpusTree,
  type TreeRefusal,
  type TreeRule,
  type TreeStanding,
} from '#src/adapters/git/corpus-tree.js'
import { configPath } from '#src/domain/config/schedules.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TreeSource } from '#src/ports/git.js'

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
  { key: annotationsTree.key, names: ['lematy/**'] },
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
export interface CorpusTrees {
  readonly works: TreeSource | null
  readonly moderators: TreeSource | null
  readonly language: TreeSource | null
  readonly annotations: TreeSource | null
  readonly findings: ReadonlyArray<Finding>
  /** Real paths of those outside the lore. */
  readonly outside: ReadonlyArray<string>
}

/** Opens the trees of `corpora.*` at the start of a host. Finding out what a tree is takes at most 5 s. */
export const openCorpusTrees = async (
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
    findings: opened.flatMap(one => one.findings),
    outside: opened.flatMap(one => one.outside),
  }
}
