import type { Chance } from '#src/demo/chance.js'
import { type Shot, type ShotReply, shoot } from './ask.js'
import { bars, isOver } from './bars.js'
import { answersWhole } from './rows.js'
import type { AttackSubject } from './subject.js'
import { answerViolations, type Canary } from './verdicts/answer.js'
import { type Cost, costViolations, healthViolations, heapViolations } from './verdicts/cost.js'

/** What a case found. */
export interface Result {
  readonly requests: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly worstCpu: Worst
  readonly worstTurn: Worst
  readonly loadMs: number
  readonly heapMb: number
  /** What else a case measured, by name. */
  readonly figures?: Readonly<Record<string, number>>
  readonly violations: ReadonlyArray<string>
}

export interface Worst {
  readonly ms: number
  readonly at: string
}

/** Requests to one daemon, each measured and judged. */
export interface Trial {
  readonly subject: AttackSubject
  readonly chance: Chance
  /** Sends a request alone and judges what it cost and what came back; null where none came. */
  readonly fire: (shot: Shot, canaries?: ReadonlyArray<Canary>) => Promise<ShotReply | null>
  /** Sends requests at once; only turns of the loop are judged. */
  readonly volley: (shots: ReadonlyArray<Shot>) => Promise<ReadonlyArray<ShotReply | null>>
  /**
   * Sends requests at once, and asks for `/health` again and again until all have ended. Judges the processor time of
   * the main thread between two answers of `/health`, and returns the longest.
   */
  readonly crowd: (shots: ReadonlyArray<Shot>) => Promise<number>
  /** Counts what the daemon did since the last request to none. */
  readonly rest: () => Promise<void>
  /**
   * Sends the requests that fill the bounded cache of answers, and takes the memory behind them as the baseline of the
   * round. What they leave may not be more than the cache and the growth that a round may leave.
   */
  readonly fillCache: (shots: ReadonlyArray<Shot>, canaries: ReadonlyArray<Canary>) => Promise<void>
  readonly violate: (violation: string) => void
  /** Whether it goes on: the daemon lives and answers. */
  readonly isAlive: () => boolean
  /** Commits that were acknowledged. */
  readonly acked: ReadonlyArray<string>
  /** Judges the memory and closes the books; the daemon still runs. */
  readonly result: () => Promise<Result>
}

const describeShot = ({ method, path, body }: Shot): string => {
  const sent = body === undefined ? '' : ` ${typeof body === 'string' ? body : JSON.stringify(body)}`
  const line = `${method} ${path}${sent}`
  return line.length > 160 ? `${line.slice(0, 150)}… (${line.length} characters)` : line
}

const isJson = (reply: ShotReply): boolean =>
  (reply.headers['content-type'] ?? '').startsWith('application/json')

const worse = (worst: Worst, ms: number, at: string): Worst => (ms > worst.ms ? { ms, at } : worst)

/** Violations of one kind are kept so often; what comes after is counted. */
const keptOfAKind = 3

/** Keeps violations, few of a kind. A kind is the text without digits and quotes. */
const violationBook = () => {
  const kept: Array<string> = []
  const kinds = new Map<string, number>()
  return {
    add: (text: string): void => {
      const kind = text.replace(/"[^"]*"|\d+/gu, '')
      const count = (kinds.get(kind) ?? 0) + 1
      kinds.set(kind, count)
      if (count <= keptOfAKind) kept.push(text)
    },
    all: (): ReadonlyArray<string> => [
      ...kept,
      ...[...kinds]
        .filter(([, count]) => count > keptOfAKind)
        .map(([kind, count]) => `${count - keptOfAKind} more of: ${kind.slice(0, 120)}`),
    ],
  }
}

export const openTrial = async (subject: AttackSubject, chance: Chance): Promise<Trial> => {
  const book = violationBook()
  const statuses: Record<string, number> = {}
  const acked: Array<string> = []
  let first = await subject.settle()
  let [requests, alive, lastCpuMs] = [0, true, first?.cpuMs ?? 0]
  const none: Worst = { ms: 0, at: '' }
  let [worstCpu, worstTurn] = [none, none]

  const spent = async (): Promise<Cost | null> => {
    const reading = await subject.read()
    if (reading === null) return null
    const cost = { cpuMs: reading.cpuMs - lastCpuMs, turnMs: reading.turnMs }
    lastCpuMs = reading.cpuMs
    return cost
  }

  const dies = (at: string, why: string): null => {
    alive = false
    book.add(
      `${at}: ${why}${subject.ended() === null ? '' : ` (the daemon ended: ${subject.ended() ?? ''})`}`,
    )
    return null
  }

  const note = (shot: Shot, reply: ShotReply, canaries: ReadonlyArray<Canary>): void => {
    const at = describeShot(shot)
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
    const answer = { status: reply.status, text: reply.text, isJson: isJson(reply) }
    const limits = { canaries, forbidden: shot.forbidden, wholeCorpus: answersWhole(shot) }
    for (const one of answerViolations(answer, limits)) book.add(`${at}: ${one}`)
    const commit = reply.headers['x-svc-commit']
    const wrote = shot.method !== 'GET' && reply.status < 300 && !shot.path.includes('dryRun=true')
    if (wrote && typeof commit === 'string') acked.push(commit)
  }

  const fire: Trial['fire'] = async (shot, canaries = []) => {
    if (!alive) return null
    requests += 1
    const at = describeShot(shot)
    const outcome = await shoot(subject, shot)
    if (outcome._tag === 'Hung') return dies(at, `no answer after ${outcome.reason}`)
    if (outcome._tag === 'Cut' && subject.ended() !== null) return dies(at, outcome.reason)
    const cost = await spent()
    if (cost === null) return dies(at, 'the loop of the daemon does not turn')
    worstCpu = worse(worstCpu, cost.cpuMs, at)
    worstTurn = worse(worstTurn, cost.turnMs, at)
    const wholeBytes = outcome._tag === 'Answered' && answersWhole(shot) ? outcome.reply.text.length : 0
    for (const one of costViolations(shot.method, cost, isOver, wholeBytes, shot.cpuMs))
      book.add(`${at}: ${one}`)
    if (outcome._tag === 'Cut') {
      book.add(`${at}: the connection ended: ${outcome.reason}`)
      return null
    }
    note(shot, outcome.reply, canaries)
    return outcome.reply
  }

  const fillCache: Trial['fillCache'] = async (shots, canaries) => {
    for (const shot of shots) await fire(shot, canaries)
    const filled = alive ? await subject.settle() : null
    if (filled === null) return
    for (const one of heapViolations(first?.heapMb ?? 0, filled.heapMb, bars.cacheMb)) book.add(one)
    first = filled
  }

  const volley: Trial['volley'] = async shots => {
    if (!alive) return []
    requests += shots.length
    const outcomes = await Promise.all(shots.map(shot => shoot(subject, shot)))
    const cost = await spent()
    if (cost === null)
      return [dies(`${shots.length} requests at once`, 'the loop of the daemon does not turn')]
    const at = `${shots.length} requests at once, such as ${describeShot(shots[0] ?? { method: '', path: '', token: null })}`
    worstTurn = worse(worstTurn, cost.turnMs, at)
    for (const one of costViolations('', { cpuMs: 0, turnMs: cost.turnMs }, isOver)) book.add(`${at}: ${one}`)
    return outcomes.map((outcome, index) => {
      const shot = shots[index]
      if (outcome._tag !== 'Answered' || shot === undefined) return null
      note(shot, outcome.reply, [])
      return outcome.reply
    })
  }

  const crowd: Trial['crowd'] = async shots => {
    if (!alive) return 0
    let [ended, worstMs] = [false, 0]
    const all = volley(shots).finally(() => {
      ended = true
    })
    const health: Shot = { method: 'GET', path: '/health', token: null }
    for (let beforeMs = subject.mainMs(); !ended; ) {
      if ((await shoot(subject, health))._tag !== 'Answered') break
      const nowMs = subject.mainMs()
      worstMs = Math.max(worstMs, nowMs - beforeMs)
      beforeMs = nowMs
    }
    await all
    const at = `${shots.length} requests at once, such as ${describeShot(shots[0] ?? health)}`
    worstTurn = worse(worstTurn, worstMs, at)
    for (const one of healthViolations(worstMs, isOver)) book.add(`${at}: ${one}`)
    return worstMs
  }

  const result: Trial['result'] = async () => {
    const last = alive ? await subject.settle() : null
    const heapMb = (last?.heapMb ?? Number.NaN) - (first?.heapMb ?? Number.NaN)
    for (const one of heapViolations(first?.heapMb ?? 0, last?.heapMb ?? 0)) book.add(one)
    if (alive && subject.ended() !== null) book.add(`the daemon ended: ${subject.ended() ?? ''}`)
    const { loadMs } = subject
    return { requests, statuses, worstCpu, worstTurn, loadMs, heapMb, violations: book.all() }
  }

  return {
    subject,
    chance,
    fire,
    volley,
    crowd,
    fillCache,
    rest: async () => {
      await spent()
    },
    violate: text => book.add(text),
    isAlive: () => alive && subject.ended() === null,
    acked,
    result,
  }
}
