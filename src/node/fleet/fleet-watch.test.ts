import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { ModeCell } from '#actors/write-gate/mode.js'
import { CommitId } from '#protocol/atoms.js'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { gitRemote } from '#src/adapters/sync/remote/remote.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { firstFleetState } from '#src/domain/fleet/fleet-state.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { Pushed } from '#src/ports/git.js'
import { fleetText, townNames } from '#test/support/fleet/topologies.js'
import { noMeter } from '#test/support/no-meter.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import {
  type FleetWatch,
  followRole,
  modeCell,
  modeStateOf,
  openFleetWatch,
  tellFleet,
  topologyReader,
} from './role.js'

const path = '.svc/fleet.json'

/** A host over a repository whose remote exists by name alone: the test moves the fetched ref itself. */
interface Rig {
  readonly fleet: FleetWatch
  readonly mode: ModeCell
  readonly told: ReadonlyArray<string>
}

const commitOf = (text: string): CommitId => {
  const commit = CommitId.decode(text)
  if (isLeft(commit)) throw new Error(`${text} is no commit`)
  return commit.right
}

describe('the fleet watch of a host', () => {
  let repository: Repository
  let state: ReturnType<typeof temporaryFolder>
  const closing: Array<() => void | Promise<void>> = []

  beforeEach(() => {
    repository = repositoryOf({ 'README.md': 'lore\n' })
    state = temporaryFolder()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    state.dispose()
    repository.dispose()
  })

  const addRemote = (): void => void repository.git('remote', 'add', 'origin', join(state.path, 'none.git'))
  const commitFleet = (text: string): CommitId => commitOf(repository.commit({ [path]: text }))
  const fetch = (commit: string): void => void repository.git('update-ref', 'refs/svc/fetched', commit)
  const publish = async (rig: Rig, text: string): Promise<CommitId> => {
    const commit = commitFleet(text)
    fetch(commit)
    await rig.fleet.readPublished(commit)
    return commit
  }
  const kinds = ({ fleet }: Rig): ReadonlyArray<string> => fleet.state().findings.map(({ kind }) => kind)

  /** One start of the host: it opens what the last one left in `runtime.db`. */
  const boot = (town: string, fetches = true): Rig => {
    const opened = openRuntimeDb(state.path)
    if (isLeft(opened)) throw new Error(opened.left.reason)
    const { obeyedTopology, close } = opened.right
    const source = openTreeSource(repository.path)
    const branch = gitFleetBranch(repository.path, 'origin')
    const first = modeStateOf(firstFleetState(town, obeyedTopology.find()))
    const mode = modeCell(first.mode, first.detail)
    const told: Array<string> = []
    const note = (event: string, fields: object = {}): void => {
      told.push(event)
      if (event === 'fleet_finding') told.push(JSON.stringify(fields))
    }
    const fleet = openFleetWatch({
      town,
      branch,
      read: topologyReader(source, branch),
      fetches,
      store: obeyedTopology,
      follow: followRole(mode, true).follow,
      meter: { ...noMeter, count: name => note(name) },
      publish: kind => note(kind),
      log: { info: note, warn: note },
    })
    closing.push(close, () => source.close())
    return { fleet, mode, told }
  }
  const shut = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close()
  }

  it('follows HEAD without a remote, and needs no converge there', async () => {
    const rig = boot('Deyja')
    equal(rig.mode.get().mode, 'ReadOnly')
    await rig.fleet.readTip()
    deepEqual([rig.fleet.state().role, rig.mode.get().mode], ['alone', 'ReadWrite'])
    commitFleet(fleetText('Deyja', 1))
    await rig.fleet.readTip()
    deepEqual([rig.fleet.state().role, rig.mode.get().mode], ['primary', 'ReadWrite'])
    commitFleet(fleetText('Avlee', 2))
    await rig.fleet.readTip()
    deepEqual([rig.fleet.state().role, rig.mode.get().mode], ['replica', 'ReadOnly'])
    ok(rig.told.includes('fleet:role'))
  })

  it('is promoted by no commit that only this checkout has (S1)', async () => {
    addRemote()
    const rig = boot('Deyja')
    commitFleet(fleetText('Deyja', 1))
    await rig.fleet.readTip()
    deepEqual([rig.fleet.state().role, rig.fleet.state().topology], ['replica', null])
    const published = commitFleet(fleetText('Avlee', 1))
    fetch(published)
    commitFleet(fleetText('Deyja', 2))
    await rig.fleet.readTip()
    equal(rig.fleet.state().role, 'replica')
    equal(rig.fleet.state().topology?.apex, 'Avlee')
    rig.fleet.onHeadMoved('another blob')
    await rig.fleet.readPublished(published)
    equal(rig.fleet.state().role, 'replica')
  })

  it('is read after a fetch and a push that arrived, and after no other push (S1)', async () => {
    addRemote()
    const rig = boot('Deyja')
    let pushed: Pushed = { _tag: 'Unknown', detail: 'lost' }
    const fetched = commitFleet(fleetText('Avlee', 1))
    const never = new AbortController().signal
    const reached: Array<readonly [string, boolean]> = []
    const remote = tellFleet(
      {
        ...gitRemote({
          repo: repository.path,
          state: state.path,
          remote: 'origin',
          branch: 'main',
          town: 'Deyja',
          breathe: daemonBreather(),
        }),
        fetch: () =>
          Promise.resolve({
            _tag: 'Fetched',
            branch: 'main',
            head: fetched,
            remote: fetched,
            incoming: 0,
            outgoing: 0,
          }),
        push: () => Promise.resolve(pushed),
      },
      rig.fleet,
      (place, isReached) => void reached.push([place, isReached]),
    )
    fetch(fetched)
    await remote.fetch(never)
    deepEqual(reached, [['remote', true]])
    equal(rig.fleet.state().topology?.apex, 'Avlee')
    const flip = commitFleet(fleetText('Deyja', 2))
    await remote.push('main', flip, never)
    equal(rig.fleet.state().role, 'replica')
    pushed = { _tag: 'Pushed' }
    fetch(flip)
    await remote.push('main', flip, never)
    deepEqual([rig.fleet.state().role, rig.fleet.state().topology?.apex], ['primary', 'Deyja'])
  })

  it('writes as apex after the first converge of the boot', async () => {
    addRemote()
    const rig = boot('Deyja')
    await publish(rig, fleetText('Deyja', 1))
    deepEqual([rig.fleet.state().role, rig.mode.get().mode], ['primary', 'ReadOnly'])
    rig.fleet.onConverged()
    equal(rig.mode.get().mode, 'ReadWrite')
  })

  it('is alone after a fetch that found no file, or no branch', async () => {
    addRemote()
    const rig = boot('Deyja')
    await rig.fleet.readPublished(null)
    deepEqual([rig.fleet.state().role, rig.mode.get().mode], ['alone', 'ReadWrite'])
    await rig.fleet.readPublished(commitOf(repository.head()))
    equal(rig.fleet.state().role, 'alone')
  })

  it('logs no role before the first fetch, and then the one that it has', async () => {
    addRemote()
    const alone = boot('Deyja')
    await alone.fleet.readTip()
    await alone.fleet.readPublished(commitOf(repository.head()))
    equal(alone.told.includes('fleet_role'), false)
    await shut()
    const replica = boot('Deyja')
    await replica.fleet.readTip()
    equal(replica.told.includes('fleet_role'), false)
    await publish(replica, fleetText('Avlee', 1))
    equal(replica.told.includes('fleet_role'), true)
  })

  it('is alone where sync is off and no file is here, and a replica where one is here', async () => {
    addRemote()
    const rig = boot('Deyja', false)
    await rig.fleet.readTip()
    equal(rig.fleet.state().role, 'alone')
    await shut()
    commitFleet(fleetText('Deyja', 1))
    const again = boot('Deyja', false)
    await again.fleet.readTip()
    equal(again.fleet.state().role, 'replica')
  })

  it('has another fence when an apex comes back, though the blob is the same (A, B, A)', async () => {
    addRemote()
    const rig = boot('Deyja')
    const fences = []
    for (const apex of ['Avlee', 'Bracada', 'Avlee'])
      fences.push([await publish(rig, fleetText(apex, 1)), rig.fleet.state().fence] as const)
    for (const [commit, fence] of fences) equal(fence?.commit, commit)
    equal(fences[0]?.[1]?.blob, fences[2]?.[1]?.blob)
    deepEqual(kinds(rig), ['TermNotRaised'])
  })

  it('keeps the fence over commits and merges that leave the file', async () => {
    addRemote()
    const rig = boot('Deyja')
    const first = await publish(rig, fleetText('Avlee', 1))
    repository.git('branch', 'side')
    const second = await publish(rig, fleetText('Bracada', 2))
    repository.git('checkout', '-q', 'side')
    repository.commit({ 'side.md': 'a write of a host that was away\n' })
    repository.git('merge', '-q', '-m', 'merge', 'main')
    const merged = commitOf(repository.head())
    fetch(merged)
    await rig.fleet.readPublished(merged)
    equal(rig.fleet.state().fence?.commit, second)
    await shut()
    const again = boot('Deyja')
    await again.fleet.readTip()
    equal(again.fleet.state().fence?.commit, second)
    ok(first !== second)
  })

  it('loses its role where the file is gone, unreadable, a link, or lists another town', async () => {
    addRemote()
    const rig = boot('Deyja')
    await publish(rig, fleetText('Deyja', 1))
    rig.fleet.onConverged()
    const lose = async (change: () => void, kind: string): Promise<void> => {
      change()
      const commit = commitOf(repository.head())
      fetch(commit)
      await rig.fleet.readPublished(commit)
      deepEqual([rig.fleet.state().role, rig.mode.get().mode, kinds(rig)], ['lost', 'ReadOnly', [kind]])
      await publish(rig, fleetText('Deyja', 1))
      equal(rig.mode.get().mode, 'ReadWrite')
    }
    await lose(() => {
      repository.git('rm', '-q', path)
      repository.git('commit', '-q', '-m', 'gone')
    }, 'FleetGone')
    await lose(() => void commitFleet('{'), 'FleetUnreadable')
    await lose(() => void commitFleet(' '.repeat(300_000)), 'FleetUnreadable')
    await lose(() => {
      repository.git('rm', '-q', path)
      const blob = repository.git('rev-parse', 'HEAD:README.md')
      repository.git('update-index', '--add', '--cacheinfo', `120000,${blob},${path}`)
      repository.git('commit', '-q', '-m', 'link')
    }, 'FleetUnreadable')
    await lose(() => void commitFleet(fleetText('Avlee', 1, townNames.slice(0, 2))), 'TownNotListed')
    ok(
      rig.told.some(line =>
        line.includes('"kind":"TownNotListed","file":".svc/fleet.json","subject":"Deyja"'),
      ),
    )
    deepEqual(
      rig.told.filter(line => /[^ -~]/.test(line)),
      [],
    )
  })

  it('remembers what it obeyed over a restart', async () => {
    const first = boot('Deyja')
    commitFleet(fleetText('Avlee', 4))
    await first.fleet.readTip()
    commitFleet(fleetText('Deyja', 4))
    await first.fleet.readTip()
    await shut()
    const second = boot('Deyja')
    deepEqual(second.fleet.state().obeyed, { apex: 'Deyja', term: 4, termBefore: 4 })
    await second.fleet.readTip()
    deepEqual(kinds(second), ['TermNotRaised'])
    repository.git('rm', '-q', path)
    repository.git('commit', '-q', '-m', 'gone')
    await shut()
    const third = boot('Deyja')
    await third.fleet.readTip()
    deepEqual(
      [third.fleet.state().role, third.mode.get().mode, kinds(third)],
      ['lost', 'ReadOnly', ['FleetGone']],
    )
  })

  it('keeps the state where git fails', async () => {
    addRemote()
    const rig = boot('Deyja')
    await publish(rig, fleetText('Deyja', 1))
    const before = rig.fleet.state()
    await rig.fleet.readPublished(commitOf('f'.repeat(40)))
    equal(rig.fleet.state(), before)
    ok(rig.told.includes('fleet_unread'))
  })
})
