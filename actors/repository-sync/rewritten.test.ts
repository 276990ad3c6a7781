import { deepEqual, equal, match } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
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
    const one = await world.host('a')
    const away = await world.host('b', { setup: { publishMode: 'none' } })
    const byRequest = await world.host('c', { setup: { publishMode: 'mr' } })
    const base = one.head()
    one.write({ [secret]: 'hasło: mellon\n' })
    for (const host of [one, away, byRequest]) await host.sync()
    deepEqual([away.head(), byRequest.head()], [one.head(), one.head()])
    gitIn(world.bare, 'update-ref', 'refs/heads/main', base)
    byRequest.write({ [index]: orrin + zoe })
    for (const host of [away, byRequest]) equal((await host.sync()).lastAction, 'history_rewritten')
    await one.stop()
    const again = await world.reopen(one)
    equal((await again.sync()).lastAction, 'history_rewritten')
    equal(gitIn(world.bare, 'for-each-ref', '--format=%(refname) %(objectname)'), `refs/heads/main ${base}`)
  })

  it('reports no rewrite at the first sight of the branch: an empty remote that fills later', async () => {
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
    const one = await world.host('a', {
      whenCloned: () => void gitIn(world.bare, 'update-ref', 'refs/heads/main', after),
    })
    equal(one.ended[0]?.action, 'history_rewritten')
    equal(world.remoteHead(), after)
  })

  describe('that a person accepts', () => {
    const zoeText = orrin + zoe
    /** Whether the remote reaches an object from its branch. */
    const publishes = (object: string): boolean =>
      gitIn(world.bare, 'rev-list', '--objects', 'main').includes(object)
    const intents = (host: SyncHost): ReadonlyArray<string> =>
      host.git('log', '--format=%(trailers:key=Svc-Intent,valueonly,separator=%x20)', 'main').split('\n')

    it('keeps the branch as it was, makes the own commits again, and brings nothing back', async () => {
      const [one, two, three] = [await world.host('a'), await world.host('b'), await world.host('c')]
      const base = one.head()
      const before = one.write({ [secret]: 'hasło: mellon\n' })
      for (const host of [one, two, three]) await host.sync()
      const blob = one.git('rev-parse', `${before}:${secret}`)
      const after = gitIn(world.bare, 'commit-tree', `${base}^{tree}`, '-p', base, '-m', 'after the purge')
      gitIn(world.bare, 'update-ref', 'refs/heads/main', after)
      for (const [at, host] of [one, two, three].entries()) {
        const own = host.write({ [`nowe-${at}.md`]: `${at}\n` }, `w${at}`)
        equal((await host.sync()).lastAction, 'history_rewritten')
        const report = await host.accept()
        deepEqual([report.lastAction, report.unpublished, report.rewrite], ['pushed', 0, null])
        deepEqual(report.parked, [{ ref: `refs/svc/parked/${'abc'[at]}/1`, commit: own }])
        const [accepted] = host.accepted
        deepEqual(accepted?.made.map(({ intent, from }) => [intent, from]) ?? [], [[`w${at}`, own]])
        deepEqual(report.replaced, [{ from: own, to: accepted?.to }])
      }
      for (const host of [one, two, three]) await host.sync()
      deepEqual(
        [intents(one).filter(Boolean).toSorted(), one.head(), two.head()],
        [['w0', 'w1', 'w2'], three.head(), three.head()],
      )
      deepEqual([publishes(blob), publishes(before)], [false, false])
    })

    it('parks what was written into a purged file, and keeps the trailers', async () => {
      const one = await world.host('a')
      const { after } = await purge(one)
      one.write({ [secret]: 'hasło: mellon\nnowe: speak\n', [index]: zoeText }, 'w1')
      const own = one.write({ 'kopia.md': 'hasło: mellon\n' }, 'w2')
      const report = await one.accept()
      deepEqual([report.lastAction, report.parked.length], ['pushed', 3])
      deepEqual(
        one.accepted[0]?.parked.map(({ files }) => files),
        [[secret], ['kopia.md']],
      )
      deepEqual(one.git('ls-tree', '--name-only', 'main').split('\n'), ['encje', 'inne.md'])
      equal(`${one.file(index)}\n`, zoeText)
      deepEqual(intents(one).slice(0, 2), ['w2', 'w1'])
      equal(gitIn(world.bare, 'merge-base', 'main', after), after)
      equal(one.git('rev-parse', 'refs/svc/parked/a/1'), own)
      equal(publishes(one.git('rev-parse', `${own}:kopia.md`)), false)
    })

    it('never publishes a purged file again, and takes it out of what waits', async () => {
      const one = await world.host('a')
      await purge(one)
      await one.accept()
      one.write({ [secret]: 'hasło: mellon\n' }, 'w1')
      one.write({ [index]: zoeText }, 'w2')
      const refused = await one.sync()
      deepEqual([refused.lastAction, refused.unpublished], ['history_purged', 2])
      match(refused.lastDetail ?? '', /publish again what was purged: tajne\.md\./)
      const report = await one.accept()
      deepEqual([report.lastAction, report.unpublished], ['pushed', 0])
      deepEqual(intents(one).slice(0, 2), ['w2', 'w1'])
      equal(gitIn(world.bare, 'ls-tree', '--name-only', 'main').includes(secret), false)
    })

    it('merges nothing that another clone brings back', async () => {
      const one = await world.host('a')
      const { before } = await purge(one)
      await one.accept()
      const head = one.head()
      const back = gitIn(
        world.bare,
        'commit-tree',
        `${before}^{tree}`,
        '-p',
        head,
        '-p',
        before,
        '-m',
        'Merge',
      )
      gitIn(world.bare, 'update-ref', 'refs/heads/main', back)
      equal((await one.sync()).lastAction, 'history_purged')
      equal(one.head(), head)
    })

    it('is done again where it was cut off, and makes no commit twice', async () => {
      let isCut = true
      const one = await world.host('a', {
        hold: hold => (work, limitMs) =>
          hold((advance, signal) => {
            const cut: typeof advance = async (...move) => {
              if (!isCut) return advance(...move)
              isCut = false
              await advance(...move)
              return left({ _tag: 'Unknown', reason: 'the gate did not answer' })
            }
            return work(cut, signal)
          }, limitMs),
      })
      const { after } = await purge(one)
      one.write({ [index]: zoeText }, 'w1')
      equal((await one.accept()).lastAction, 'failed')
      const moved = one.head()
      equal((await one.sync()).lastAction, 'history_rewritten')
      equal((await one.accept()).lastAction, 'pushed')
      deepEqual([one.head(), one.git('rev-parse', 'main^')], [moved, after])
    })

    it('makes no commit again whose intent the new history has already', async () => {
      const one = await world.host('a')
      const base = one.head()
      // The push of w1 arrived, and this host does not know that.
      const own = one.write({ [index]: zoeText }, 'w1')
      const root = gitIn(world.bare, 'commit-tree', `${base}^{tree}`, '-m', 'root')
      one.git('push', '-q', world.bare, `${own}:refs/heads/inna`)
      const made = gitIn(world.bare, 'commit-tree', `${own}^{tree}`, '-p', root, '-m', 'w\n\nSvc-Intent: w1')
      gitIn(world.bare, 'update-ref', 'refs/heads/main', made)
      equal((await one.accept()).lastAction, 'up_to_date')
      deepEqual([one.head(), one.accepted[0]?.made], [made, []])
    })
  })
})
