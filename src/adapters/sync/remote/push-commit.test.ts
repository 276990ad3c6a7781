import { equal } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { attachMeter } from '#src/adapters/metrics/process-meter.js'
import { type Prometheus, prometheus } from '#src/adapters/metrics/prometheus.js'
import { sampleSum } from '#test/support/metric-text.js'
import { gitIn, headIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { pushCommit } from './publish-git.js'
import { fetchBranch } from './remote.js'
import { openRemoteContext, type RemoteContext } from './run-git.js'

const { signal } = new AbortController()

describe('a push of a commit', () => {
  let repository: Repository
  let bare: ReturnType<typeof temporaryFolder>
  let context: RemoteContext
  let metrics: Prometheus
  let detach: () => void
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a\n' })
    bare = temporaryFolder()
    gitIn(bare.path, 'init', '-q', '--bare', '-b', 'main')
    repository.git('remote', 'add', 'origin', bare.path)
    repository.git('push', '-q', 'origin', 'main')
    const state = join(repository.path, '.git/state')
    mkdirSync(state)
    context = openRemoteContext({
      ...{ repo: repository.path, state, remote: 'origin', branch: 'main', town: 'A' },
      breathe: () => Promise.resolve(),
    })
    metrics = prometheus(() => undefined)
    detach = attachMeter(metrics.meter)
  })
  afterEach(() => {
    detach()
    repository.dispose()
    bare.dispose()
  })

  const push = (text: string) => {
    const commit = CommitId.decode(text)
    if (isLeft(commit)) throw new Error(`${text} is no commit`)
    return pushCommit(context, 'main', commit.right, signal)
  }
  const fetch = async (): Promise<void> => equal((await fetchBranch(context, signal))._tag, 'Fetched')
  const published = (): string => headIn(bare.path, 'refs/heads/main')
  const violations = async (): Promise<number> =>
    sampleSum(await metrics.text(), 'svc_invariant_violations_total', { invariant: 'S14' })

  it('that contains what was fetched moves the branch and violates nothing', async () => {
    await fetch()
    const child = repository.commit({ 'b.md': 'b\n' })
    equal((await push(child))._tag, 'Pushed')
    equal(published(), child)
    equal(await violations(), 0)
  })

  it('that lacks what was fetched is not made, and counts S14, also where the remote would accept it', async () => {
    const base = published()
    const fetched = repository.commit({ 'b.md': 'b\n' })
    repository.git('push', '-q', 'origin', 'main')
    await fetch()
    repository.git('reset', '-q', '--hard', base)
    const sibling = repository.commit({ 'c.md': 'c\n' })
    // For the remote this commit is a fast-forward again: only the check here can refuse it.
    gitIn(bare.path, 'update-ref', 'refs/heads/main', base, fetched)
    const outcome = await push(sibling)
    equal(outcome._tag === 'Failed' && outcome.action, 'failed')
    equal(published(), base)
    equal(await violations(), 1)
    await push(sibling)
    equal(await violations(), 2)
  })

  it('creates a branch that the remote does not have, and violates nothing', async () => {
    gitIn(bare.path, 'update-ref', '-d', 'refs/heads/main')
    await fetch()
    repository.git('checkout', '-q', '--orphan', 'fresh')
    const root = repository.commit({ 'c.md': 'c\n' })
    equal((await push(root))._tag, 'Pushed')
    equal(published(), root)
    equal(await violations(), 0)
  })
})
