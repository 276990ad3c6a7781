import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { gitEffectLog } from '#src/adapters/history/effect-log.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import type { EffectFinding, FindEffect } from '#src/ports/chat.js'
import {
  cloneOf,
  gitIn,
  headIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
} from '#test/support/repository.js'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'
import { makeFindEffect } from './chat.js'

const { signal } = new AbortController()
const absent: EffectFinding = { _tag: 'Absent' }
const findingOf = (commit: string) => ({ _tag: 'Found', commit })

/** Commits nothing but a message; returns the commit. */
const commitEmpty = (path: string, message: string): string => {
  gitIn(path, 'commit', '-q', '--allow-empty', '-m', message)
  return headIn(path)
}

describe('the look for an effect, over a real remote', () => {
  let world: SyncWorld
  let host: SyncHost
  let folder: ReturnType<typeof temporaryFolder>
  let pipeline: string
  /** The reads of history: from which commit, and how many effects came. */
  let reads: Array<readonly [string | null, number | null]>

  beforeEach(async () => {
    world = syncWorld({ 'README.md': 'lore\n' })
    host = await world.host('Enroth')
    folder = temporaryFolder()
    pipeline = join(folder.path, 'pipeline')
    cloneOf(world.bare, pipeline)
    reads = []
  })
  afterEach(async () => {
    await world.dispose()
    folder.dispose()
  })

  const openFind = (idsMax?: number): FindEffect => {
    const log = gitEffectLog(host.path, gitFleetBranch(host.path, 'origin'))
    const fetch = async (): Promise<string | null> => {
      const fetched = await host.remote.fetch(signal)
      return fetched._tag === 'Failed' ? fetched.detail : null
    }
    const keyedCommits: typeof log.keyedCommits = async (tip, since, ...rest) => {
      const commits = await log.keyedCommits(tip, since, ...rest)
      reads.push([since, commits?.length ?? null])
      return commits
    }
    return makeFindEffect({ fetch, log: { ...log, keyedCommits } }, idsMax)
  }
  const push = (message: string): string => {
    const commit = commitEmpty(pipeline, message)
    gitIn(pipeline, 'push', '-q', '--force', 'origin', 'main')
    return commit
  }

  it('finds a commit of the pipeline that arrives by the fetch, and reads only what is new', async () => {
    const find = openFind()
    const first = push('zamknięcie\n\nSvc-Interaction: 901')
    deepEqual(await find('902', 1_000, signal), absent)
    const second = push('raport\n\nSvc-Interaction: 902')
    deepEqual(await find('902', 1_000, signal), findingOf(second))
    deepEqual(await find('901', 1_000, signal), findingOf(first))
    deepEqual(reads, [
      [null, 1],
      [first, 1],
    ])
  })

  it('does not count a commit that this host has not published', async () => {
    const find = openFind()
    const local = commitEmpty(host.path, 'zamknięcie\n\nSvc-Interaction: 901')
    deepEqual(await find('901', 1_000, signal), absent)
    host.git('push', '-q', 'origin', 'main')
    deepEqual(await find('901', 1_000, signal), findingOf(local))
  })

  it('reads the whole history again where the branch was rewritten', async () => {
    const find = openFind()
    const seed = headIn(pipeline)
    const gone = push('zamknięcie\n\nSvc-Interaction: 901')
    deepEqual(await find('901', 1_000, signal), findingOf(gone))
    const rewritten = async (interaction: string): Promise<string> => {
      gitIn(pipeline, 'reset', '-q', '--hard', seed)
      const tip = push(`zamknięcie\n\nSvc-Interaction: ${interaction}`)
      const unsure = await find(interaction, 1_000, signal)
      match(unsure._tag === 'Unreadable' ? unsure.reason : '', /is not among the ancestors of/)
      // As if a person had accepted the rewrite.
      for (const ref of ['seen/main', 'fetched', 'rewritten']) host.git('update-ref', '-d', `refs/svc/${ref}`)
      return tip
    }
    const other = await rewritten('902')
    deepEqual(await find('901', 1_000, signal), absent)
    deepEqual(await find('902', 1_000, signal), findingOf(other))
    const last = await rewritten('903')
    await host.remote.fetch(signal)
    host.git('gc', '-q', '--prune=now')
    throws(() => host.git('cat-file', '-e', other), 'the tip of the index is still in the repository')
    deepEqual(await find('903', 1_000, signal), findingOf(last))
    deepEqual(reads, [
      [null, 1],
      [gone, null],
      [null, 1],
      [other, null],
      [null, 1],
    ])
  })

  it('takes trailers alone, however the checkout is configured', async () => {
    const find = openFind()
    for (const [key, value] of [
      ['trailer.separators', '%'],
      ['i18n.logOutputEncoding', 'UTF-16'],
      ['log.showSignature', 'true'],
      ['grep.patternType', 'perl'],
    ] as const)
      host.git('config', key, value)
    push('Svc-Interaction: 1')
    push('raport\n\nSvc-Interaction: 2\n\nKoniec opisu.')
    push('raport\n\nPrzed chwilą przyszło Svc-Interaction: 3\n\nSvc-Route: POST /x')
    push('raport\n\nSvc-Interaction: 4 5')
    const merged = push(
      'raport\n\nOpis.\n\nSvc-Route: POST /x\nsvc-interaction: 6\nSvc-Interaction:   7\nSvc-Actor: Anna',
    )
    const ids = ['1', '2', '3', '4', '5', '6', '7']
    const findings: Array<EffectFinding> = []
    for (const id of ids) findings.push(await find(id, 1_000, signal))
    const none = [absent, absent, absent, absent, absent]
    deepEqual(findings, [...none, findingOf(merged), findingOf(merged)])
  })

  it('finds an effect on a side of a merge, whatever its date says', async () => {
    const find = openFind()
    const [tree, parent] = gitIn(pipeline, 'rev-parse', 'HEAD^{tree}', 'HEAD').split('\n')
    const file = join(folder.path, 'commit')
    const by = 'Test <test@example.org> 1 +0000'
    const lines = [`tree ${tree}`, `parent ${parent}`, `author ${by}`, `committer ${by}`]
    writeFileSync(file, [...lines, '', 'zamknięcie', '', 'Svc-Interaction: 901', ''].join('\n'))
    const side = gitIn(pipeline, 'hash-object', '-t', 'commit', '-w', file)
    push('inna zmiana')
    deepEqual(await find('901', 1_000, signal), absent)
    gitIn(pipeline, 'merge', '-q', '--no-ff', '-m', 'scalenie', side)
    gitIn(pipeline, 'push', '-q', 'origin', 'main')
    deepEqual(await find('901', 1_000, signal), findingOf(side))
  })

  it('still finds an effect that the full index left out', async () => {
    const find = openFind(1)
    const old = push('zamknięcie\n\nSvc-Interaction: 901')
    push('zamknięcie\n\nSvc-Interaction: 903')
    deepEqual(await find('901', 1_000, signal), findingOf(old))
    deepEqual(await find('900', 1_000, signal), absent)
    deepEqual(reads.length, 3)
    deepEqual(await find('902', 1_000, signal), absent)
    deepEqual(reads.length, 3, 'an id that the index can answer had the history read')
  })

  it('does not say that an effect is absent while the remote is away', async () => {
    const find = openFind()
    host.git('remote', 'set-url', 'origin', join(folder.path, 'none.git'))
    equal((await find('901', 1_000, signal))._tag, 'Unreadable')
  })
})

describe('the look for an effect in a checkout', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'README.md': 'lore\n' })
  })
  afterEach(() => repository.dispose())

  const findHere = (id: string): Promise<EffectFinding> => {
    const log = gitEffectLog(repository.path, gitFleetBranch(repository.path, 'origin'))
    return makeFindEffect({ fetch: () => Promise.resolve(null), log })(id, 1_000, signal)
  }

  it('without a remote reads the branch of the checkout', async () => {
    const commit = commitEmpty(repository.path, 'zamknięcie\n\nSvc-Interaction: 901')
    deepEqual(await findHere('901'), findingOf(commit))
    deepEqual(await findHere('902'), absent)
  })

  it('whose remote was never fetched has no answer', async () => {
    repository.git('remote', 'add', 'origin', join(repository.path, 'none.git'))
    const finding = await findHere('901')
    match(finding._tag === 'Unreadable' ? finding.reason : '', /never fetched/u)
  })

  it('that git cannot read has no answer', async () => {
    const id = repository.head()
    commitEmpty(repository.path, 'inna zmiana')
    rmSync(join(repository.path, '.git/objects', id.slice(0, 2), id.slice(2)), { force: true })
    equal((await findHere('901'))._tag, 'Unreadable')
  })
})
