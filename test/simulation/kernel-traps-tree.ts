import { ready } from '#src/kernel/actor/actor.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { type Counter, type CounterMessage, idlePorts } from '#test/support/kernel/counter.js'
import { placeCounter, type Rig } from '#test/support/kernel/kernel-rig.js'
import type { Trap } from './kernel-trap.js'

interface Family {
  readonly rig: Rig
  readonly first: Ref<CounterMessage>
  readonly close: () => void
}

/** A group of `count` children under a root, all running. `change` is made to the first child, `child-0`. */
const openFamily = async (rig: Rig, count: number, change: Partial<Counter> = {}): Promise<Family> => {
  const children = Array.from({ length: count }, (_, at) =>
    placeCounter(rig, `child-${at}`, idlePorts, at === 0 ? change : {}),
  )
  const [first] = children
  if (first === undefined) throw new Error('a family without children')
  const group = rig.kernel.group(
    {
      id: 'group',
      strategy: 'one_for_one',
      restartsMax: 1,
      windowMs: 1_000,
      children: children.map(({ member }) => ({ id: member.name, restart: 'permanent', drainMs: 100 })),
    },
    Object.fromEntries(children.map(({ member }) => [member.name, member])),
  )
  const tree = rig.run([group])
  await rig.until(() => rig.kernel.readings().every(({ state }) => state === 'running'))
  return { rig, first: first.ref, close: () => void tree.close() }
}

const reports = 500
const rounds = 5

/** Processor time of `reports` messages after each of which a child reports to its supervisor: the least of a few. */
const reportMicros = async (rig: Rig, siblings: number): Promise<number> => {
  const family = await openFamily(rig, siblings, { receive: state => [state, [ready]] })
  const spent: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const before = process.cpuUsage()
    for (let n = 0; n < reports; n += 1) tell(family.first, { _tag: 'Add', n })
    const isDone = (): boolean => rig.meter.count('child-0/done/ok') === round * reports
    for (let wait = 0; wait < 50 && !isDone(); wait += 1) await rig.until(isDone)
    const { user, system } = process.cpuUsage(before)
    spent.push(user + system)
  }
  family.close()
  return Math.min(...spent)
}

/** Copying four thousand references costs some forty times what the rest of a message does. */
const growthMax = 5

/** What nact does with a tree of actors; the kernel's tree is its own. */
export const treeTraps: ReadonlyArray<Trap> = [
  {
    id: 'DEP 2.1.1: stop(parent)',
    says: 'children do not outlive a stopped parent: they take no turn more, and what is told to them is counted',
    holds: async open => {
      const family = await openFamily(open(), 2)
      for (let n = 0; n < 10; n += 1) tell(family.first, { _tag: 'Add', n })
      family.close()
      tell(family.first, { _tag: 'Add', n: 10 })
      await family.rig.quiet()
      const { count } = family.rig.meter
      return count('child-0/done/ok') === 0 && count('child-0/dead/stopped') === 11
    },
  },
  {
    id: 'DEP 2.1: child map',
    says: 'a report to a supervisor costs the same with four thousand children as with twenty',
    holds: async open => {
      const few = await reportMicros(open(), 20)
      const many = await reportMicros(open(), 4_000)
      return many < few * growthMax
    },
  },
]
