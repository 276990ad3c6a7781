import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { hasClosingLine } from '#src/domain/forge/wire.js'
import type { ForgeDoubleOptions } from '#test/support/forge/forge-double.js'
import { type PublishWorld, publishWorld } from '#test/support/forge/publish-world.js'
import { gitIn } from '#test/support/repository.js'
import type { SyncReport } from './state.js'

const index = 'encje/indeks.md'
const orrin = (state: string): string => `### Orrin\n- @typ: NPC\n- @status: ${state}\n`
const branch = 'svc/publish/Deyja'

describe('publishing by merge requests', () => {
  let at: PublishWorld
  const open = async (options: Partial<ForgeDoubleOptions> = {}) => {
    at = await publishWorld({ [index]: orrin('a') }, options)
    return at.host('Deyja')
  }
  afterEach(() => at.dispose())

  const inBare = (...args: ReadonlyArray<string>): string => gitIn(at.world.bare, ...args)
  const published = (): string => inBare('show', `main:${index}`)
  const states = (): ReadonlyArray<string> => at.double.requests().map(({ state }) => state)
  const calls = (): ReadonlyArray<string> => at.double.calls.map(({ operation }) => operation)
  const summary = ({ lastAction, unpublished, request, parked }: SyncReport) => [
    lastAction,
    unpublished,
    request?.state ?? null,
    parked.length,
  ]

  it('opens one request, lets the forge merge it, and never pushes the branch itself', async () => {
    const host = await open()
    host.write({ [index]: orrin('b') })
    host.write({ [index]: orrin('c') })
    deepEqual(summary(await host.sync()), ['pushed', 0, 'merged', 0])
    equal(host.head(), at.world.remoteHead())
    equal(published(), orrin('c').trim())
    deepEqual(calls(), ['list', 'open', 'merge'])
    equal(inBare('log', '--first-parent', '--max-count=1', '--format=%cn', 'main'), 'Forge')
    deepEqual(summary(await host.sync()), ['up_to_date', 0, null, 0])
    deepEqual([calls().length, states()], [3, ['merged']])
  })

  it('waits while the forge checks, and adds later commits to the same request', async () => {
    const host = await open({ checksMs: 1_000 })
    host.write({ [index]: orrin('b') })
    deepEqual(summary(await host.sync()), ['mr_waits_for_forge', 1, 'opened', 0])
    match(host.reports.at(-1)?.lastDetail ?? '', /^Request 1 is open; the forge says checking\.$/)
    host.write({ [index]: orrin('c') })
    deepEqual(summary(await host.sync()), ['mr_waits_for_forge', 2, 'opened', 0])
    equal(inBare('rev-parse', branch), host.head())
    at.setForgeMs(2_000)
    deepEqual(summary(await host.sync()), ['pushed', 0, 'merged', 0])
    deepEqual(states(), ['merged'])
  })

  it('knows by its tree what a squash took over, and opens no empty request', async () => {
    const host = await open({ squashes: true })
    host.write({ [index]: orrin('b') })
    const own = host.write({ [index]: orrin('c') })
    deepEqual(summary(await host.sync()), ['pushed', 0, 'merged', 0])
    for (let round = 0; round < 3; round += 1)
      deepEqual(summary(await host.sync()), ['up_to_date', 0, null, 0])
    host.git('merge-base', '--is-ancestor', own, 'HEAD')
    host.git('merge-base', '--is-ancestor', at.world.remoteHead(), 'HEAD')
    deepEqual(states(), ['merged'])
    host.write({ [index]: orrin('d') })
    deepEqual(summary(await host.sync()), ['pushed', 0, 'merged', 0])
    deepEqual([states(), published()], [['merged', 'merged'], orrin('d').trim()])
  })

  it('keeps what was written after the commit that a person squashed', async () => {
    const host = await open({ squashes: true, checksMs: 1_000 })
    host.write({ [index]: orrin('b') })
    await host.sync()
    host.write({ [index]: orrin('c') })
    at.setForgeMs(2_000)
    await at.merge(1)
    deepEqual(summary(await host.sync()), ['mr_waits_for_forge', 2, 'opened', 0])
    deepEqual(
      [host.file(index), published()],
      [orrin('c'), orrin('b').trim()].map(text => text.trim()),
    )
    at.setForgeMs(4_000)
    deepEqual(summary(await host.sync()), ['pushed', 0, 'merged', 0])
    deepEqual([published(), states()], [orrin('c').trim(), ['merged', 'merged']])
  })

  it('keeps a value that was written back after the commit that a person squashed', async () => {
    const host = await open({ squashes: true, checksMs: 1_000 })
    host.write({ [index]: orrin('b') })
    await host.sync()
    host.write({ [index]: orrin('a') })
    at.setForgeMs(2_000)
    await at.merge(1)
    await host.sync()
    equal(host.file(index), orrin('a').trim())
  })

  it('leaves a request that a person closed, and opens another one for a new commit', async () => {
    const host = await open({ checksMs: 1_000 })
    const other = await at.world.host('Bracada')
    host.write({ [index]: orrin('b') })
    await host.sync()
    await at.double.veto(1)
    at.setForgeMs(2_000)
    const { lastOk } = host.reports.at(-1) ?? {}
    const closed = await host.sync()
    deepEqual(summary(closed), ['request_closed', 1, 'closed', 0])
    notEqual(closed.lastOk, lastOk)
    other.write({ 'encje/inne.md': '### Zoe\n' })
    await other.sync()
    equal((await host.sync()).lastAction, 'request_closed')
    deepEqual(states(), ['closed'])
    host.write({ [index]: orrin('c') })
    equal((await host.sync()).request?.iid, 2)
    at.setForgeMs(4_000)
    await host.sync()
    deepEqual([states(), published()], [['closed', 'merged'], orrin('c').trim()])
  })

  it('loses no commit and opens one request while the forge is away', async () => {
    const host = await open()
    for (const status of [503, 429, 500]) {
      at.double.disturb({ on: 'any', do: status, times: 1 })
      host.write({ [index]: orrin(String(status)) })
      equal((await host.sync()).lastAction, 'forge_unanswered')
    }
    at.double.disturb({ on: 'open', do: 'garble' }, { on: 'merge', do: 'garble' })
    equal((await host.sync()).lastAction, 'forge_unanswered')
    equal((await host.sync()).lastAction, 'forge_unanswered')
    await host.sync()
    deepEqual([states(), published(), host.head()], [['merged'], orrin('500').trim(), at.world.remoteHead()])
  })

  it('merges nothing with a squash that it cannot ask for', async () => {
    const host = await open({ squashes: true, checksMs: 1_000 })
    host.write({ [index]: orrin('b') })
    await host.sync()
    const head = host.write({ [index]: orrin('c') })
    at.setForgeMs(2_000)
    await at.merge(1)
    at.double.disturb({ on: 'list', do: 502 })
    equal((await host.sync()).lastAction, 'forge_unanswered')
    equal(host.head(), head)
  })

  it('closes a request whose changes came to the branch otherwise', async () => {
    const host = await open({ checksMs: 1_000 })
    const other = await at.world.host('Bracada')
    host.write({ [index]: orrin('b') })
    await host.sync()
    other.write({ [index]: orrin('b') }, 'other')
    await other.sync()
    deepEqual(summary(await host.sync()), ['merged', 0, null, 0])
    deepEqual(states(), ['closed'])
    ok(hasClosingLine(at.double.requests()[0]?.description ?? ''))
  })

  it('pushes nothing over commits of others on its branch', async () => {
    const host = await open({ checksMs: 1_000 })
    host.write({ [index]: orrin('b') })
    await host.sync()
    const foreign = inBare('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'of a person')
    inBare('update-ref', `refs/heads/${branch}`, foreign)
    host.write({ [index]: orrin('c') })
    const { lastAction, lastDetail } = await host.sync()
    equal(lastAction, 'push_rejected')
    match(lastDetail ?? '', /has commits that this host does not have/)
    equal(inBare('rev-parse', branch), foreign)
  })
})
