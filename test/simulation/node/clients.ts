import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { PerformTask } from '#actors/job-runner.js'
import type { SyncAnswer, SyncRequest } from '#actors/repository-sync/state.js'
import type { GateRequest } from '#actors/write-gate/messages.js'
import type { SetModeOutcome } from '#actors/write-gate/mode.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Mode } from '#protocol/host/discovery.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { ask, type ReplyTo } from '#src/kernel/actor/ref.js'
import type { Command, WritePort } from '#src/writing/command.js'
import { testCommand } from '#test/support/commands.js'
import { isFields } from '#test/support/matching.js'
import { awardRow, monthsPath, textWithLateSession } from './awards.js'
import type { EnactmentEnd } from './check-enactments.js'
import { closeRow } from './closes.js'
import { textAfterWish } from './expected-text.js'
import type { Running, SimHost } from './host.js'
import type { GateHost } from './host-gate.js'
import { readOn } from './host-journal.js'
import type { AskedWrite } from './ledger.js'
import {
  blocks,
  lorePaths,
  notesPath,
  sessionsPath,
  textWithPoints,
  type WriteWish,
  wordsIn,
} from './plans.js'
import type { HostWorld, World } from './world.js'

const actor = { name: 'Solmyr', gracz: 'Solmyr', kind: 'gracz' } as const

/** Refusals that do not say whether the write stands. */
const isVague = ({ _tag, detail }: Refusal): boolean =>
  _tag === 'Internal' || (_tag === 'Overloaded' && !detail.includes('nothing was written'))

/** A write that nobody settled: it was lost in the gate. */
const isUnanswered = ({ _tag, detail }: Refusal): boolean =>
  _tag === 'Overloaded' && detail.startsWith('No answer came')

const pickOne = <A>({ weather }: Pick<HostWorld, 'weather'>, from: readonly [A, ...ReadonlyArray<A>]): A =>
  from[weather.between(0, from.length - 1)] ?? from[0]

/** The end of a write that the gate dropped because its client had left. */
const isDropped = ({ detail }: Refusal): boolean => detail.startsWith('The caller left')

const patienceMsMax = 40

/** Whether a client still waits. Some leave soon; the checks hold what the gate answers to them to be true nevertheless. */
const openPatience = ({ clock, weather }: Pick<HostWorld, 'clock' | 'weather'>): (() => boolean) => {
  if (!weather.mishap(0.1)) return () => true
  const leavesAtMs = clock.monotonicMs() + weather.between(0, patienceMsMax)
  return () => clock.monotonicMs() < leavesAtMs
}

const wishOf = (world: HostWorld): WriteWish => ({
  kind: world.weather.happens(0.7) ? 'add' : 'set',
  word: `w${String(world.checks.branches.asked.length + 1).padStart(4, '0')}`,
  path: pickOne(world, lorePaths),
  block: pickOne(world, blocks),
})

/** One client that writes a word of its own and is told, unless the host dies first. */
export const sendWish = async (
  world: HostWorld,
  host: GateHost,
  running: Pick<Running, 'write' | 'life'>,
  dryRun: boolean,
  isClientThere?: () => boolean,
): Promise<AskedWrite> => {
  const { branches } = world.checks
  const wish = wishOf(world)
  const asked = branches.ask({ wish, host: host.name, dryRun })
  const command = testCommand({ body: wish, dryRun, actor, route: 'PATCH /entities/{name}' })
  const stoppedMs = world.stoppedMs()
  const outcome = await running.write(command, isClientThere)
  if (running.life.isOver) return asked
  // The time of a client runs out while the host is stopped, and its timer is the first that fires after the wake.
  const ranOn = world.stoppedMs() === stoppedMs
  if (isLeft(outcome) && isUnanswered(outcome.left) && ranOn) branches.unanswered(asked)
  if (isLeft(outcome) && isDropped(outcome.left))
    world.trace.mark('a client left before its write was planned')
  if (dryRun && !isLeft(outcome)) branches.previewed(asked, outcome.right)
  if (isLeft(outcome)) {
    if (!isVague(outcome.left)) asked.fate = { _tag: 'refused', reason: outcome.left._tag }
  } else if (outcome.right.commit !== null) asked.fate = { _tag: 'acked', commit: outcome.right.commit }
  branches.answered(asked, host.repository.head)
  return asked
}

export const writeOnce = async (world: World, host: SimHost, dryRun: boolean): Promise<AskedWrite | null> =>
  host.running === null ? null : sendWish(world, host, host.running, dryRun, openPatience(world))

const stopped = left(refuse('Overloaded', 'Nobody waits for this job any more.'))

const workMsMax = 200

const pause = ({ clock }: World, ms: number): Promise<void> =>
  new Promise(resolve => {
    clock.after(ms, resolve)
  })

/** Somebody asks a host for an enactment. */
const enactOnce = async (
  { checks, origin }: World,
  { running, mode }: SimHost,
  { row, what, body }: { readonly row: string; readonly what: string; readonly body: Command['body'] },
): Promise<void> => {
  if (running === null) return
  const asked = checks.enactments.ask({ row, what, publishes: mode === 'push' })
  const actor = { name: asked.asker, gracz: null, kind: 'machine' } as const
  const outcome = await running.write(testCommand({ row, route: row, body, actor }))
  if (running.life.isOver) return
  checks.enactments.answered(asked, endOf(outcome), commit => checks.branches.has(commit, origin.head))
}

/** Somebody settles a month on a host that publishes. */
export const awardOnce = async (world: World, host: SimHost, month: string): Promise<void> => {
  if (host.mode === 'push') await enactOnce(world, host, { row: awardRow, what: month, body: { month } })
}

/** Somebody closes a session; on a host that only reads, a merge brings the row of another host beside its own. */
export const closeOnce = (world: World, host: SimHost, header: string): Promise<void> =>
  enactOnce(world, host, { row: closeRow, what: header, body: { header } })

const endOf = (outcome: Awaited<ReturnType<WritePort>>): EnactmentEnd => {
  if (isLeft(outcome)) {
    const { left: refusal } = outcome
    if (refusal._tag === 'AwardBlocked') return { _tag: 'Blocked' }
    if (refusal._tag === 'SessionClosed') return { _tag: 'Closed', by: refusal.by }
    return refusal._tag === 'NotPublished'
      ? { _tag: 'NotPublished', isSure: refusal.reason !== 'unknown' }
      : { _tag: 'Refused' }
  }
  const { body, commit } = outcome.right
  const isApplied = isFields(body) && body['Applied'] === true
  return isApplied && commit !== null ? { _tag: 'Applied', commit } : { _tag: 'Nothing' }
}

/** One client that has a job made. The body of its command is the number of the work. */
export const jobOnce = async (world: World, host: SimHost): Promise<void> => {
  const { running } = host
  if (running === null) return
  const work = world.checks.jobs.ask(host.name)
  const command = testCommand({ body: work.number, actor })
  const started = await running.jobs.start('import', { _tag: 'Write', command })
  if (!running.life.isOver && !isLeft(started)) work.id = started.right.jobId
}

/** Performs the task of such a job, which takes a while and writes a word. */
export const performJob =
  (world: World, host: SimHost, here: () => Running): PerformTask =>
  async (task, _jobId, progress, signal) => {
    const { checks, weather } = world
    const work = checks.jobs.workOf(task)
    const running = here()
    checks.jobs.runs(work)
    const steps = weather.between(1, 5)
    const heeds = weather.happens(0.5)
    for (let done = 0; done < steps; done += 1) {
      await pause(world, weather.between(0, workMsMax))
      await weather.step(running.life, 'job work')
      if (signal.aborted && heeds) return stopped
      progress({ done: done + 1, total: steps, detail: 'work' })
    }
    const { wish } = await sendWish(world, host, running, false)
    work.result = wish.word
    return right(wish.word)
  }

/** What an operator who sets the mode of a host needs of it. */
export interface ModeHost {
  readonly name: string
  isSetting: boolean
  readonly running: Pick<Running, 'gate' | 'life'> | null
}

/** An operator sets the mode of a host, unless one waits for that already. */
export const modeOnce = async (
  { checks, trace }: Pick<HostWorld, 'checks' | 'trace'>,
  host: ModeHost,
  mode: Mode,
): Promise<void> => {
  const { name, running } = host
  if (running === null || host.isSetting) return
  host.isSetting = true
  if (mode === 'ReadWrite') checks.branches.opens(name)
  const asked = (replyTo: ReplyTo<SetModeOutcome>): GateRequest => ({
    _tag: 'SetMode',
    mode,
    actor: { name: 'admin', gracz: null, kind: 'session' },
    claimed: { row: 'admin.mode.set', asker: { _tag: 'Host' }, grade: 'full' },
    replyTo,
  })
  const answer = await ask<GateRequest, SetModeOutcome>(running.gate, asked, 60_000)
  if (running.life.isOver) return
  host.isSetting = false
  const isSet = !isLeft(answer) && !isLeft(answer.right)
  trace.say(`${name} ${mode} ${isSet ? 'set' : 'not set'}`)
  if (!isSet || mode !== 'ReadOnly') return
  trace.mark('an operator closed the gate')
  checks.branches.closes(name)
}

/** One client that wants a converge now, or an operator who accepts a history that was rewritten. */
export const syncOnce = async (
  { trace }: World,
  { name, running }: SimHost,
  tag: SyncRequest['_tag'] = 'Sync',
): Promise<void> => {
  if (running === null) return
  const asked = (replyTo: ReplyTo<SyncAnswer>): SyncRequest => ({ _tag: tag, replyTo })
  const answer = await ask(running.sync, asked, 60_000)
  if (!running.life.isOver) trace.say(`${name} sync answered ${answer._tag}`)
}

/**
 * A person commits a word of their own beside the daemon, in their notes, a session or the lore that clients write; no client
 * is told of it, and neither a merge nor a write may lose it.
 */
export const commitOnce = (world: HostWorld, host: GateHost, hostAt: number): void => {
  const { objects, checks, weather } = world
  const { name, repository } = host
  const { head: from, parked } = repository
  const { files } = objects.get(from)
  const word = `w9${hostAt}${String(objects.size(from)).padStart(4, '0')}`
  const path = weather.happens(0.5)
    ? notesPath
    : pickOne(world, [sessionsPath, monthsPath, monthsPath, ...lorePaths] as const)
  const text = files.get(path) ?? ''
  const block = pickOne(world, blocks)
  const after =
    path === notesPath
      ? `${text}- ${word}\n`
      : path === sessionsPath
        ? textWithPoints(text, word, blocks.indexOf(block))
        : path === monthsPath
          ? textWithLateSession(text, blocks.indexOf(block), `${hostAt}-${objects.size(from)}`)
          : textAfterWish(text, { kind: 'add', word, path, block }, [])
  const made = { parents: [from], files: new Map(files).set(path, after), message: 'by hand' }
  repository.head = objects.make(made).id
  checks.branches.moved(name, from, repository.head, [...parked.values()])
}

/**
 * A person takes the newest word that was committed by hand out of the history of origin, from its first commit on. The
 * host where it was committed knows that it is published.
 */
export const purgeOnce = ({ objects, checks, origin, hosts }: World): void => {
  const from = origin.head
  const wordsAt = (commit: CommitId | null) =>
    commit === null ? [] : [...objects.get(commit).files.values()].flatMap(wordsIn)
  const word = wordsAt(from).findLast(
    one => one.length > 6 && wordsAt(hosts[Number(one[2])]?.repository.fetched ?? null).includes(one),
  )
  if (word === undefined) return
  const made = new Map<CommitId, CommitId>()
  for (const { id, parents, files, message } of objects.between(objects.root(from), from)) {
    const cleaned = [...files].map(([path, text]): [string, string] => [
      path,
      text
        .split('\n')
        .filter(line => !line.includes(word))
        .join('\n'),
    ])
    const moved = parents.map(parent => made.get(parent) ?? parent)
    made.set(id, objects.make({ parents: moved, files: new Map(cleaned), message }).id)
  }
  origin.head = made.get(from) ?? from
  checks.branches.purged(word, from, origin.head)
}

/** Something that the host tells of itself. */
export const publishOnce = ({ checks }: World, { running }: SimHost): void =>
  running?.publish('snapshot:published', { generation: checks.branches.asked.length, commit: null })

/** A client that comes back to the events where it stood, and reads a page or all. */
export const readOnce = async (world: World, host: SimHost, pages: number): Promise<void> => {
  const { running, reader } = host
  if (running !== null && running.feed.head() > 0) await readOn(world, host, running.feed, reader, pages)
}
