import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { branchOfJob, type TakeoverAction } from '#src/domain/fleet/takeover-run.js'
import type { ForgeDoubleOptions } from '#test/support/forge/forge-double.js'
import { runTakeover, type TakeoverWorld, takeoverWorld } from '#test/support/forge/takeover-world.js'

describe('a takeover that meets the request of another host', function () {
  this.timeout(60_000)
  let world: TakeoverWorld | null = null
  afterEach(() => world?.dispose())
  const open = async (options: Partial<ForgeDoubleOptions> = {}): Promise<TakeoverWorld> => {
    world = await takeoverWorld(options)
    return world
  }
  const stopAt =
    (tag: TakeoverAction['_tag']) =>
    (action: TakeoverAction): Promise<void> =>
      action._tag === tag ? Promise.reject(new Error('killed')) : Promise.resolve()

  it('finishes the request of a town that is alive as it is, and replaces one that died', async () => {
    const alive = await open()
    await runTakeover(alive.host('Deyja'), alive.job('Deyja'), { before: stopAt('CallForge') }).catch(() => 0)
    equal((await runTakeover(alive.host('Bracada'), alive.job('Bracada')))._tag, 'Done')
    deepEqual([(alive.file() as { apex: string }).apex, alive.flips()], ['Deyja', 1])
    await alive.dispose()

    const here = await open()
    const isMerge = (action: TakeoverAction): Promise<void> =>
      action._tag === 'CallForge' && action.call._tag === 'MergeRequest'
        ? Promise.reject(new Error('killed'))
        : Promise.resolve()
    await runTakeover(here.host('Deyja'), here.job('Deyja'), { before: isMerge }).catch(() => 0)
    const next = here.host('Bracada', { candidates: () => ['Bracada'] })
    const job = here.job('Bracada')
    equal((await runTakeover(next, job))._tag, 'Done')
    await next.git.fetch(branchOfJob(job), new AbortController().signal)
    const flip = await next.git.readFlip(here.job('Bracada').fence.commit)
    deepEqual(flip?.before, { ...job.fence, term: 3 })
    const { apex, term } = here.file() as { apex: string; term: number }
    deepEqual([apex, term, here.requestStates()], ['Bracada', 4, ['merged']])
  })

  it('asks the town of an adopted request again just before it merges, and replaces one that died', async () => {
    const here = await open({ checksMs: 50 })
    const job = here.job('Bracada')
    await runTakeover(here.host('Deyja'), here.job('Deyja'), { before: stopAt('CallForge') }).catch(() => 0)
    let probes: ReadonlyArray<string> = []
    const next = here.host('Bracada', {
      probeTown: town => {
        const calls = here.double.calls.map(({ operation }) => operation)
        probes = [...probes, `${town} before ${calls.includes('merge') ? 'a' : 'no'} merge`]
        return Promise.resolve('silent')
      },
    })
    equal((await runTakeover(next, job))._tag, 'Done')
    deepEqual(probes, ['Erathia before no merge', 'Deyja before no merge'])
    const { apex, term } = here.file() as { apex: string; term: number }
    deepEqual([apex, term, here.requestStates()], ['Bracada', 4, ['merged']])
    equal(here.double.calls.filter(({ operation }) => operation === 'merge').length, 1)
  })

  it('merges no request of a dead town that it was asked for, and closes it', async () => {
    const here = await open()
    const end = await runTakeover(
      here.host('Bracada', { probeTown: () => Promise.resolve('silent') }),
      here.job('Deyja'),
    )
    deepEqual([end._tag === 'Failed' && end.failure, here.flips()], ['timed_out', 0])
    match(end._tag === 'Failed' ? end.detail : '', /Deyja, which the request names, does not answer/)
    deepEqual(here.requestStates(), ['closed'])
  })
})
