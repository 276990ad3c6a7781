import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { gitIn } from '#test/support/repository.js'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n- @lokacja: Erathia (2024-01:)\n- @info: Kupiec.\n'
const zoe = '\n### Zoe\n- @typ: NPC\n'
const secret = 'tajne.md'

describe('a remote that is rewritten', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ [index]: orrin, 'inne.md': 'Raz.\n' })
  })
  afterEach(() => world.dispose())

  /** Publishes a secret, then rewrites the branch of the remote as if it had never been there. */
  const purge = async (by: SyncHost): Promise<{ readonly before: string; readonly after: string }> => {
    const base = by.head()
    const before = by.write({ [secret]: 'hasło: mellon\n' })
    equal((await by.sync()).lastAction, 'pushed')
    const after = gitIn(world.bare, 'commit-tree', `${base}^{tree}`, '-p', base, '-m', 'after the purge')
    gitIn(world.bare, 'update-ref', 'refs/heads/main', after)
    return { before, after }
  }

  it('is neither merged nor pushed to, and the ref of the fetch stays', async () => {
    const one = await world.host('a')
    const { before, after } = await purge(one)
    const own = one.write({ [index]: orrin + zoe })
    const { lastOk } = one.reports.at(-1) ?? {}
    const report = await one.sync()
    deepEqual([report.lastAction, report.lastOk, report.unpublished], ['history_rewritten', lastOk, 1])
    match(report.lastDetail ?? '', /is not among the ancestors of [0-9a-f]{40}, .*kronika accept-rewrite/)
    deepEqual([one.head(), world.remoteHead()], [own, after])
    equal(one.git('rev-parse', 'refs/svc/fetched'), before)
  })

  it('is recognized after a restart, by a host that was away, and in the modes that do not push', async () => {
    const [one, away] = [await world.host('a'), await world.host('b', { setup: { publishMode: 'none' } })]
    const { after } = await purge(one)
    equal((await away.sync()).lastAction, 'pulled')
    await one.stop()
    const again = await world.reopen(one)
    equal((await again.sync()).lastAction, 'history_rewritten')
    equal(world.remoteHead(), after)
  })

  it('is no rewrite where the branch was seen by nobody: an empty remote that fills later', async () => {
    const one = await world.host('a', {
      whenCloned: () => void gitIn(world.bare, 'update-ref', '-d', 'refs/heads/main'),
    })
    equal(one.ended[0]?.action, 'pushed')
    equal(world.remoteHead(), one.head())
  })

  it('is no rewrite where another branch is followed', async () => {
    const one = await world.host('a')
    const base = one.head()
    one.write({ [index]: orrin + zoe })
    await one.sync()
    gitIn(world.bare, 'update-ref', 'refs/heads/druga', base)
    await one.stop()
    const again = await world.reopen(one, { branch: 'druga' })
    equal((await again.sync()).lastAction, 'up_to_date')
    equal(gitIn(world.bare, 'rev-parse', 'druga'), one.head())
  })

  for (const [what, spoil] of [
    ['wound back', (base: string) => gitIn(world.bare, 'update-ref', 'refs/heads/main', base)],
    ['removed', () => gitIn(world.bare, 'update-ref', '-d', 'refs/heads/main')],
    [
      'replaced by another history',
      (base: string) => {
        const other = gitIn(world.bare, 'commit-tree', `${base}^{tree}`, '-m', 'other')
        gitIn(world.bare, 'update-ref', 'refs/heads/main', other)
      },
    ],
  ] as const)
    it(`stops a branch that was ${what}, and goes on when it is back`, async () => {
      const one = await world.host('a')
      const base = one.head()
      const published = one.write({ [secret]: 'hasło: mellon\n' })
      await one.sync()
      spoil(base)
      const spoiled = gitIn(world.bare, 'for-each-ref')
      one.write({ [index]: orrin + zoe })
      const report = await one.sync()
      deepEqual([report.lastAction, report.unpublished], ['history_rewritten', 1])
      equal(gitIn(world.bare, 'for-each-ref'), spoiled)
      gitIn(world.bare, 'update-ref', 'refs/heads/main', published)
      equal((await one.sync()).lastAction, 'pushed')
      equal(world.remoteHead(), one.head())
    })

  it('is known by what the clone found, before the first converge', async () => {
    const writer = await world.host('w')
    const { after } = await purge(writer)
    gitIn(world.bare, 'update-ref', 'refs/heads/main', writer.head())
    const one = await world.host('a', { whenCloned: () => void gitIn(world.bare, 'update-ref', 'refs/heads/main', after) })
    equal(one.ended[0]?.action, 'history_rewritten')
    equal(world.remoteHead(), after)
  })
})
