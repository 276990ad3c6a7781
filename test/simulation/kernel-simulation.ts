import { type RestartKind, strategies } from '#protocol/host/kernel.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import { type KernelRules, rules } from '#src/kernel/rules.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import type { ChildSpec } from '#src/kernel/supervision/supervisor-spec.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { type KernelWitness, type RestartBudget, witness } from './kernel-witness.js'
import { type Manner, type WorkerMessage, worker } from './kernel-worker.js'

/** What one seed came to. The same seed gives the same `hash`. */
export interface KernelRun {
  readonly seed: number
  readonly violations: ReadonlyArray<string>
  readonly hash: string
  readonly events: number
  readonly gaveUp: boolean
  readonly faults: number
}

type Chance = () => number

interface Client {
  readonly name: string
  readonly ref: Ref<WorkerMessage>
  readonly mailboxMax: number
}

interface World {
  readonly kernel: Kernel
  readonly clock: VirtualClock
  readonly chance: Chance
  readonly seen: KernelWitness
  readonly clients: ReadonlyArray<Client>
  readonly asks: Map<number, 'open' | 'settled'>
  sent: number
}

const between = (chance: Chance, low: number, high: number): number =>
  low + Math.floor(chance() * (high - low + 1))

const pick = <A>(chance: Chance, from: readonly [A, ...A[]]): A =>
  from[Math.floor(chance() * from.length)] ?? from[0]

const stuckMs = 30_000
const heartbeatMs = 5_000
const calmMs = 180_000
const turns = 40

/** Faults come in spells, so that some seeds stay inside every budget and some go through the root's. */
const mannerOf = (chance: Chance, harshness: number): Manner => {
  if (chance() >= harshness) return chance() < 0.8 ? 'ok' : 'slow'
  return pick(chance, ['ends', 'throws', 'throws', 'rejects', 'throwsAtOnce', 'hangs', 'losesState'])
}

const tellJob = (world: World, client: Client, harshness: number): void => {
  world.sent += 1
  const id = world.sent
  const manner = mannerOf(world.chance, harshness)
  const delayMs = manner === 'slow' ? between(world.chance, 1, 8_000) : between(world.chance, 0, 3)
  note(world, client, id, tell(client.ref, { _tag: 'Job', id, manner, delayMs }))
}

const tellNonsense = (world: World, client: Client): void => {
  world.sent += 1
  // @ts-expect-error a message that no codec takes
  note(world, client, world.sent, tell(client.ref, { _tag: 'Job', id: 'none' }))
}

const note = (world: World, client: Client, id: number, admission: string): void => {
  if (admission === 'accepted') world.seen.accepted(client.name, id, client.mailboxMax)
  if (admission === 'gone') world.seen.gone(client.name)
  world.seen.trace(`${admission} ${client.name}`)
}

const booksOf = (world: World, client: Client): { readonly sent: number; readonly dead: number } => {
  const tally = world.kernel.tallies().get(client.name)
  return { sent: tally?.sent ?? 0, dead: tally?.deadLetters ?? 0 }
}

const askQuestion = (world: World, client: Client, harshness: number): void => {
  world.sent += 1
  const id = world.sent
  const manner = mannerOf(world.chance, harshness)
  const deadlineMs = between(world.chance, 50, 20_000)
  const deadMs = world.clock.monotonicMs() + deadlineMs
  const before = booksOf(world, client)
  world.asks.set(id, 'open')
  const answer = ask<WorkerMessage, number>(
    client.ref,
    replyTo => {
      world.seen.accepted(client.name, id, client.mailboxMax)
      return { _tag: 'Question', id, manner, replyTo }
    },
    deadlineMs,
  )
  const now = booksOf(world, client)
  if (now.dead > before.dead) world.seen.gone(client.name)
  if (now.sent !== before.sent + 1) world.seen.violation('an ask was not sent')
  void answer.then(result => {
    world.asks.set(id, 'settled')
    if (result._tag === 'Right' && result.right !== id)
      world.seen.violation(`the answer to ${result.right} reached the asker of ${id} (S32)`)
    if (result._tag === 'Left' && result.left._tag === 'Timeout') checkTimeout(world, id, deadMs)
    world.seen.trace(`answer ${id} ${result._tag === 'Right' ? 'Right' : result.left._tag}`)
  })
}

/** An ask may time out while its actor lives; not when the incarnation that had it ended before. */
const checkTimeout = (world: World, id: number, deadMs: number): void => {
  const incarnation = world.seen.deliveredTo(id)
  if (incarnation !== undefined && world.seen.isEnded(incarnation))
    world.seen.violation(`ask ${id} waited for ${incarnation}, which had ended, until ${deadMs} ms`)
}

const takeTurn = (world: World, harshness: number): void => {
  const [first, ...others] = world.clients
  if (first === undefined) return
  const client = pick(world.chance, [first, ...others])
  const burst = world.chance() < 0.1 ? between(world.chance, 20, 60) : between(world.chance, 1, 4)
  for (let n = 0; n < burst; n += 1) {
    const dice = world.chance()
    if (dice < 0.05) tellNonsense(world, client)
    else if (dice < 0.25) askQuestion(world, client, harshness)
    else tellJob(world, client, harshness)
  }
}

interface Plant {
  readonly clients: Client[]
  readonly budgets: Map<string, RestartBudget>
}

const growTree = (
  kernel: Kernel,
  clock: VirtualClock,
  chance: Chance,
  seen: KernelWitness,
  plant: Plant,
  onGiveUp: () => void,
): ActorTree => {
  const groups: ChildSpec<string>[] = []
  const nodes: Record<string, ReturnType<Kernel['group']>> = {}
  const rootBudget: RestartBudget = { group: 'root', restartsMax: 2, windowMs: 60_000 }
  for (let g = 0; g < between(chance, 1, 3); g += 1) {
    const group = `group${g}`
    const budget: RestartBudget = {
      group,
      restartsMax: between(chance, 1, 4),
      windowMs: pick(chance, [5_000, 30_000]),
    }
    const children: ChildSpec<string>[] = []
    const members: Record<string, ReturnType<Kernel['group']>> = {}
    for (let w = 0; w < between(chance, 1, 3); w += 1) {
      const name = `worker${g}${w}`
      const mailboxMax = between(chance, 5, 40)
      const restart = pick<RestartKind>(chance, [
        'permanent',
        'permanent',
        'permanent',
        'transient',
        'temporary',
      ])
      const place = kernel.place(worker(name, mailboxMax, restart !== 'permanent', seen))
      plant.clients.push({ name, ref: place.ref, mailboxMax })
      if (restart !== 'temporary') plant.budgets.set(name, budget)
      members[name] = place.with(clock)
      children.push({
        id: name,
        restart,
        drainMs: between(chance, 100, 5_000),
        onGiveUp: chance() < 0.2 ? 'abandon' : 'escalate',
      })
    }
    plant.budgets.set(group, rootBudget)
    nodes[group] = kernel.group(
      { id: group, strategy: pick(chance, strategies), ...budget, children },
      members,
    )
    groups.push({ id: group, restart: 'permanent', drainMs: 10_000 })
  }
  return kernel.run({ id: 'root', strategy: 'one_for_one', ...rootBudget, children: groups }, nodes, onGiveUp)
}

/** Three minutes; more while a mailbox full of poison is worked off at one a backoff, an hour at most. */
const calm = async (world: World): Promise<void> => {
  for (let spell = 0; spell < 20; spell += 1) {
    await world.clock.advance(calmMs, world.kernel.settle)
    if (world.kernel.readings().every(reading => reading.waiting === 0 && reading.backoffMs === 0)) return
  }
}

/** After the calm nothing may wait, no work may hang and every question has had its answer. */
const checkCalm = (world: World): void => {
  for (const reading of world.kernel.readings()) {
    if (reading.state === 'stopped') continue
    if (reading.state !== 'running')
      world.seen.violation(`${reading.actor} is ${reading.state} after the calm`)
    if (reading.waiting > 0) world.seen.violation(`${reading.actor} left ${reading.waiting} waiting (L7)`)
  }
  for (const [id, state] of world.asks) if (state === 'open') world.seen.violation(`ask ${id} has no end`)
  world.seen.checkBudgets()
}

export const simulateKernel = async (
  seed: number,
  planted: Partial<KernelRules> = {},
): Promise<KernelRun> => {
  const { chance } = entropyFromSeed(seed * 2 + 1)
  const clock = virtualClock(0)
  const plant: Plant = { clients: [], budgets: new Map() }
  const seen = witness(clock.monotonicMs, plant.budgets)
  const kernel = openKernel({
    clock,
    checkMessages: true,
    entropy: entropyFromSeed(seed),
    meter: seen.meter,
    log: seen.log,
    heartbeatMs,
    stuckMs,
    rules: { ...rules, ...planted },
  })
  let gaveUp = false
  const tree = growTree(kernel, clock, chance, seen, plant, () => {
    gaveUp = true
  })
  const world: World = { kernel, clock, chance, seen, clients: plant.clients, asks: new Map(), sent: 0 }
  const harshness = pick(chance, [0, 0.02, 0.05, 0.15])
  for (let turn = 0; turn < turns; turn += 1) {
    takeTurn(world, harshness)
    await clock.advance(between(chance, 0, 3) * between(chance, 0, 1_500), kernel.settle)
  }
  const isRough = chance() < 0.3
  if (!isRough) {
    await calm(world)
    checkCalm(world)
    takeTurn(world, harshness)
  }
  await finish(world, tree, chance() < 0.5)
  return {
    seed,
    violations: seen.violations,
    hash: seen.hash(),
    events: seen.events(),
    gaveUp,
    faults: kernel.readings().reduce((sum, reading) => sum + reading.quarantined, 0),
  }
}

const finish = async (world: World, tree: ActorTree, isDrain: boolean): Promise<void> => {
  const drained = isDrain ? tree.drain(20_000) : Promise.resolve(tree.close())
  await world.clock.advance(30_000, world.kernel.settle)
  await drained
  for (const [actor, tally] of world.kernel.tallies()) world.seen.balance(actor, tally.sent)
  for (const [id, state] of world.asks)
    if (state === 'open') world.seen.violation(`ask ${id} has no end after the end`)
}
