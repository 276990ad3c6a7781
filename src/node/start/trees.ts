import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import { type FurtherTree, furtherTrees, requirePath } from '#protocol/atoms.js'
import { type RepositoryStands, repositoryStands } from '#src/adapters/git/checkout-state.js'
import { type OpenLanding, openLanding } from '#src/adapters/landing/landing.js'
import { takeCheckoutFences } from '#src/adapters/state/fence.js'
import { commonGitDirectory, excludeState, findDistrust } from '#src/adapters/state/state-area.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { TreeSource } from '#src/ports/git.js'
import { type Checkout, findCommittedState } from './checkout.js'

/** A checkout of `corpora.*` that this process holds: no other process writes it until `release`. */
export interface HeldTree {
  readonly repo: string
  /** Its private state area: waiting files, fences and the temporary files of merges. */
  readonly state: string
  readonly source: TreeSource
  /** Whether it is still the repository that was opened. */
  readonly stands: RepositoryStands
  readonly landing: OpenLanding
  readonly release: () => void
}

/** The trees of a host that it writes; its load has the findings for those that it only reads. */
export interface HeldTrees<L = LoadPorts> {
  readonly trees: ReadonlyMap<FurtherTree, HeldTree>
  readonly load: L
  readonly release: () => void
}

/**
 * Takes the trees beside the lore for writing: excludes their state areas from git, and takes their fences (D3). A
 * plain folder is only read, which is no finding. A checkout that is the lore or another tree already, that another
 * process holds, or whose state area cannot be trusted or made, is only read too, with a finding: the host always
 * starts. The caller still closes the sources of `load`.
 */
export const holdTrees = async <L extends Pick<LoadPorts, 'trees' | 'bootFindings'>>(
  checkout: Lore,
  load: L,
  command: string,
): Promise<HeldTrees<L>> => {
  const held = new Map<FurtherTree, HeldTree>()
  const findings: Array<Finding> = []
  const owners = new Map<string, string>([[identityOf(checkout.repo), 'lore']])
  for (const name of furtherTrees) {
    const source = load.trees?.get(name)
    if (source?.kind !== 'git' || !checkout.isGit) continue
    const identity = identityOf(source.path)
    const owner = owners.get(identity)
    owners.set(identity, owner ?? `corpora.${name}`)
    const taken = owner === undefined ? await take(checkout, name, source, command) : isTaken(owner)
    if (typeof taken === 'string') findings.push(findingOf(name, taken))
    else held.set(name, taken)
  }
  return {
    trees: held,
    load: { ...load, bootFindings: [...load.bootFindings, ...findings] },
    release: () => {
      for (const tree of held.values()) tree.release()
    },
  }
}

type Lore = Pick<Checkout, 'repo' | 'isGit' | 'runtime'>

/** Worktrees of one repository share refs that a sync owns, so they count as one. */
const identityOf = (repo: string): string => {
  try {
    return realpathSync(commonGitDirectory(repo) ?? repo)
  } catch {
    return repo
  }
}

const isTaken = (owner: string): string =>
  owner === 'lore'
    ? 'wskazuje repozytorium z lore, które host zapisuje już jako lore.'
    : `wskazuje to samo repozytorium co ${owner}.`

/** Takes a checkout, or says why it is only read. */
const take = async (
  { runtime }: Lore,
  name: FurtherTree,
  source: TreeSource,
  command: string,
): Promise<HeldTree | string> => {
  const repo = source.path
  const state = join(repo, '.svc/state')
  try {
    const doubt = findDistrust(repo, state, await findCommittedState(repo, state))
    if (doubt !== null) return `wskazuje repozytorium z niepewnym folderem hosta: ${doubt}.`
    excludeState(repo, state)
    const who = `process ${process.pid}, kronika ${command}, since ${new Date().toISOString()}`
    const fence = takeCheckoutFences(repo, state, who)
    if (isLeft(fence))
      return 'holder' in fence.left
        ? `wskazuje repozytorium, które trzyma inny proces: ${fence.left.holder}.`
        : `wskazuje repozytorium, w którym host nie może pisać: ${fence.left.reason}.`
    const stands = repositoryStands(repo)
    const { intents, stands: stateStands } = runtime
    const landing = openLanding({ repo, tree: name, intents, stands, stateStands })
    const release = (): void => {
      landing.close()
      fence.right.release()
    }
    return { repo, state, source, stands, landing, release }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `wskazuje repozytorium, w którym host nie może pisać: ${reason}.`
  }
}

const configPath = requirePath('.svc/config.json')

const findingOf = (name: FurtherTree, reason: string): Finding => ({
  kind: 'CorpusUnwritten',
  severity: 'warning',
  file: configPath,
  line: null,
  subject: `corpora.${name}`,
  reason: `Klucz corpora.${name} ${reason} Host czyta to drzewo, ale niczego w nim nie zapisuje.`,
  suggestion: 'Usuń tę przeszkodę albo wpisz inne repozytorium, zatwierdź zmianę i uruchom host ponownie.',
})
