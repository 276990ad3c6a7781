import type { SystemCall } from './call.js'
import { openChatPlace } from './chat/chat-place.js'
import { addForge } from './forge-place.js'
import { historyViolations } from './history.js'
import { openLedger, type WriteLedger } from './ledger.js'
import { type KillPlace, openPlace } from './place.js'
import type { Scenario } from './scenario.js'
import { type KillSubject, startSubject, type Victim } from './subject.js'
import { attach } from './tracer.js'
import { repositoryViolations } from './verify.js'

/** A wound falls behind one of the first calls of its scenario. */
const woundCallMax = 60

/** A world in which one daemon after the other is killed; `subject` is the one that lives now, if any. */
export interface PointWorld {
  readonly place: KillPlace
  readonly ledger: WriteLedger
  points: number
  subject: KillSubject | null
}

/** What came of one kill. */
export interface PointOutcome {
  readonly scenario: string
  /** The kill came behind this call of the scenario, counted from 1; null: the scenario had ended before. */
  readonly at: number | null
  readonly call: SystemCall | null
  readonly victim: Victim
  readonly recoveryMs: number
  readonly violations: ReadonlyArray<string>
}

const openPlaceFor = async ({ files, remote, hasChat }: Scenario): Promise<KillPlace> => {
  const place = await (hasChat ? openChatPlace : openPlace)(files, remote !== 'none')
  return remote === 'forge' ? addForge(place) : place
}

export const openPointWorld = async (scenario: Scenario): Promise<PointWorld> => {
  const { plant } = scenario
  const place = await openPlaceFor(scenario)
  plant(place.repo)
  return { place, ledger: openLedger(), points: 0, subject: null }
}

export const closeWorld = async (world: PointWorld): Promise<void> => {
  world.subject?.kill('group')
  await world.subject?.gone
  world.place.dispose()
}

const ensureSubject = async (world: PointWorld): Promise<KillSubject> => {
  const subject = world.subject ?? startSubject(world.place.repo, false, world.place.serving)
  world.subject = subject
  if ((await subject.ready) === null)
    throw new Error(`the daemon did not start before the kill: ${subject.complaint()}`)
  return subject
}

/** Runs the scenario under the tracer; `onCall` may kill. Answers the calls that were seen. */
const traceCalls = async (
  world: PointWorld,
  scenario: Scenario,
  subject: KillSubject,
  onCall: (count: number, call: SystemCall) => void,
): Promise<ReadonlyArray<SystemCall>> => {
  if (scenario.prepare !== null) {
    const client = await subject.ready
    if (client !== null) await scenario.prepare(client, world.ledger, world.place)
  }
  const trace = await attach(subject.pid, world.place.root, onCall, scenario.uncounted)
  if (scenario.act === null) {
    subject.go()
    await subject.ready
  } else {
    const client = await subject.ready
    if (client !== null) await scenario.act(client, world.ledger, world.place)
  }
  await trace.end()
  return trace.calls
}

/** What a kill hit: the call that it came behind. */
interface Hit {
  readonly at: number
  readonly call: SystemCall
}

/** Runs a scenario and kills the daemon behind its `at`-th call, or at its end if it has fewer. */
const strike = async (
  world: PointWorld,
  scenario: Scenario,
  at: number,
  victim: Victim,
): Promise<Hit | null> => {
  const subject =
    scenario.act === null
      ? startSubject(world.place.repo, true, world.place.serving)
      : await ensureSubject(world)
  const hits: Array<Hit> = []
  await traceCalls(world, scenario, subject, (count, call) => {
    if (count < at || hits.length > 0) return
    hits.push({ at: count, call })
    subject.kill(victim)
  })
  subject.kill(victim)
  await subject.gone
  world.subject = null
  return hits[0] ?? null
}

/** The calls of the scenario when nobody is killed. */
export const runUnharmed = async (scenario: Scenario): Promise<ReadonlyArray<SystemCall>> => {
  const world = await openPointWorld(scenario)
  try {
    if (scenario.wound !== null) await strike(world, scenario.wound, woundCallMax, 'group')
    const subject =
      scenario.act === null
        ? startSubject(world.place.repo, true, world.place.serving)
        : await ensureSubject(world)
    world.subject = subject
    return await traceCalls(world, scenario, subject, () => undefined)
  } finally {
    await closeWorld(world)
  }
}

/** Starts plainly on what the kill left, does one more thing, and holds everything against what must be. */
const checkRecovery = async (
  world: PointWorld,
  scenario: Scenario,
  before: string,
): Promise<ReadonlyArray<string>> => {
  const subject = startSubject(world.place.repo, false, world.place.serving)
  world.subject = subject
  const client = await subject.ready
  if (client === null) return [`did not become ready: ${subject.complaint()}`]
  const { place, ledger } = world
  const { repo } = place
  const own = ledger.entries.filter(entry => entry.isElsewhere !== true)
  const standing = historyViolations(repo, ledger, own)
  const next = await scenario.next(client, ledger, place)
  return [
    ...standing,
    ...(next === null ? [] : [next]),
    ...historyViolations(repo, ledger).filter(one => !standing.includes(one)),
    ...repositoryViolations(place, { before, now: scenario.work(repo) }),
  ]
}

/** Kills the daemon behind the `at`-th call of the scenario, starts it again and tells what is wrong then. */
export const killPoint = async (
  world: PointWorld,
  scenario: Scenario,
  at: number,
  victim: Victim,
): Promise<PointOutcome> => {
  const before = scenario.work(world.place.repo)
  if (scenario.wound !== null) await strike(world, scenario.wound, 1 + ((at * 7) % woundCallMax), victim)
  const hit = await strike(world, scenario, at, victim)
  const startedMs = performance.now()
  const violations = await checkRecovery(world, scenario, before)
  world.points += 1
  return {
    scenario: scenario.name,
    at: hit?.at ?? null,
    call: hit?.call ?? null,
    victim,
    recoveryMs: performance.now() - startedMs,
    violations,
  }
}
