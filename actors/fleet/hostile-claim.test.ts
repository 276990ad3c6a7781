import { deepEqual, equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { afterEach, describe, it } from 'mocha'
import { branchOfJob } from '#src/domain/fleet/takeover-run.js'
import { townsMax } from '#src/domain/fleet/topology.js'
import {
  fleetTextOf,
  runTakeover,
  type TakeoverWorld,
  takeoverWorld,
} from '#test/support/forge/takeover-world.js'
import { storeCommit, storeObject, storeTree } from '#test/support/plain-git.js'
import { gitIn, headIn } from '#test/support/repository.js'

let world: TakeoverWorld | null = null
afterEach(() => world?.dispose())
const open = async (): Promise<TakeoverWorld> => {
  world = await takeoverWorld()
  return world
}

const requestStates = ({ double }: TakeoverWorld) => double.requests().map(({ state }) => state)

/** Branches of somebody who may push, and may not push to the followed branch. */
describe('a hostile claim of a takeover', function () {
  this.timeout(60_000)

  it('says at once that a branch below the name of its own keeps it from claiming', async () => {
    const here = await open()
    const job = here.job('Deyja')
    gitIn(here.bare, 'branch', `${branchOfJob(job)}/x`, 'main')
    const end = await runTakeover(here.host('Deyja'), job)
    deepEqual([end._tag === 'Failed' && end.failure, requestStates(here)], ['foreign_claim', []])
  })

  it('leaves a branch alone that changed another file and took the change back', async () => {
    const here = await open()
    const job = here.job('Deyja')
    here.commit({ 'Lore.md': '# Other\n' })
    here.commit({ 'Lore.md': '# Lore\n', '.svc/fleet.json': fleetTextOf('Deyja', 4) })
    gitIn(here.bare, 'branch', branchOfJob(job), 'main')
    gitIn(here.bare, 'update-ref', 'refs/heads/main', 'main~2')
    const end = await runTakeover(here.host('Deyja'), job)
    deepEqual([end._tag === 'Failed' && end.failure, requestStates(here)], ['foreign_claim', []])
  })

  it('leaves a branch alone whose one commit names a billion files, and does not read their names', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const blob = storeObject(here.bare, 'blob', Buffer.from('x'))
    const row = (mode: string, id: string) => (_: unknown, n: number) => [mode, `${n}`, id] as const
    let bomb = storeTree(here.bare, Array.from({ length: 10 }, row('100644', blob)))
    for (let level = 1; level < 9; level += 1)
      bomb = storeTree(here.bare, Array.from({ length: 10 }, row('40000', bomb)))
    const by = { name: 'x', email: 'x@x.example', atMs: 0 }
    const commit = storeCommit(here.bare, bomb, [headIn(here.bare, 'refs/heads/main')], 'x', by)
    gitIn(here.bare, 'update-ref', `refs/heads/${branchOfJob(job)}`, commit)
    const end = await runTakeover(here.host('Deyja'), job)
    deepEqual([end._tag === 'Failed' && end.failure, requestStates(here)], ['foreign_claim', []])
  })

  it('replaces a claim that changes more of the file than the apex and the term', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const flipped = fleetTextOf('Deyja', 4)
    here.commit({
      '.svc/fleet.json': flipped.replaceAll('http://127.0.0.1:1/', 'https://elsewhere.example/'),
    })
    gitIn(here.bare, 'branch', branchOfJob(job), 'main')
    gitIn(here.bare, 'update-ref', 'refs/heads/main', 'main^')
    const end = await runTakeover(here.host('Deyja'), job)
    deepEqual([end._tag, requestStates(here)], ['Done', ['merged']])
    deepEqual(here.file(), JSON.parse(flipped))
  })

  it('reads no file of the fleet that is longer than any host accepts', async () => {
    const here = await open()
    const host = here.host('Deyja')
    here.commit({ '.svc/fleet.json': `${fleetTextOf('Deyja', 4)}${' '.repeat(262_144)}` })
    const fetched = await host.git.fetch('fleet/takeover/3-none', new AbortController().signal)
    equal(fetched._tag === 'Claims' && fetched.topology, null)
  })

  it('looks at no more claims of one takeover than a fleet has towns', async () => {
    const here = await open()
    const host = here.host('Deyja')
    const root = here.job('Deyja').fence.commit
    const commits = Array.from({ length: townsMax + 5 }, (_, n) => {
      const text = fleetTextOf('Deyja', 4 + n)
      const message = 'x\n\nSvc-Takeover: fleet/takeover/3-none\n'
      return [
        `commit refs/heads/main\ncommitter x <x@x> 0 +0000\ndata ${message.length}\n${message}`,
        n === 0 ? `from ${root}\n` : '',
        `M 100644 inline .svc/fleet.json\ndata ${Buffer.byteLength(text)}\n${text}`,
      ].join('')
    })
    execFileSync('git', ['-C', here.bare, 'fast-import', '--quiet'], { input: `${commits.join('\n')}\n` })
    await host.git.fetch('fleet/takeover/3-none', new AbortController().signal)
    const flip = await host.git.readFlip(headIn(here.bare, 'refs/heads/main'))
    equal(flip?.before.commit, gitIn(here.bare, 'rev-parse', `main~${townsMax + 1}`))
  })
})
