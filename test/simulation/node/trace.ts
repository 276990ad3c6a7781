import type { ChatMark } from '../chat/chat-marks.js'

/** What must come about in some seeds, or the simulation is too kind to show anything. */
export const marks = [
  'a push that landed was not answered',
  'a remote went silent',
  'others pushed first',
  'a merge parked what it left out',
  'a file too large to merge was parked',
  'a restarted gate stopped its landing',
  'the branch moved under a landing',
  'a person was at work in a file',
  'the disk refused a landing',
  'a line of the journal was torn',
  'the retention was quicker than a reader',
  'a crash interrupted a job',
  'the last converge was too old to write',
  'an operator closed the gate',
  'a converge held the gate',
  'a client left before its write was planned',
  'a rewritten history was accepted',
  'an enactment lost its race',
  'an enactment was not published',
  'a month was settled in pieces',
  'a session was closed by another',
  'a merge brought a second row of a close',
  'a notice waited for the remote',
] as const

/** The same of a fleet, over two hours. */
export const fleetMarks = [
  'two hosts believed to be the apex',
  'an apex was demoted',
  'an apex came back',
  'a host lost its role by the file',
  'a flip did not raise the term',
  'a person flipped the apex there and back',
  'a flip was only in one checkout',
  'a host found that it was paused',
  'a late answer took misses back',
  'a card that names another apex brought a converge forward',
  'a probe was not sent',
  'a takeover was accepted',
  'a takeover was accepted behind a closed gate',
  'a host asked by itself',
  'a dark apex was taken over from, and all else was well',
  'a dead apex was taken over from in a quiet fleet',
  'an apex was taken over from whose card a cache goes on showing',
  'a person undid a takeover',
  'a town had an active job already',
  'the cooldown refused a takeover',
  'a job was superseded',
  'a job was vetoed',
  'the apex answered the last probe',
  'a request of another host was adopted',
  'a claim of another town was finished',
  'a second request of a branch was refused',
  'a failed job owed the closing of its request',
  'the forge still checked a request',
  'the forge performed a call and its answer was lost',
  'a duty was dropped before its push',
] as const
export type Mark = (typeof marks)[number] | (typeof fleetMarks)[number] | ChatMark

/** Everything that happened in one simulated world, in order: equal hashes, equal runs. */
export interface Trace {
  readonly say: (text: string) => void
  readonly violation: (text: string) => void
  readonly mark: (mark: Mark) => void
  readonly marked: ReadonlySet<Mark>
  readonly violations: ReadonlyArray<string>
  /** The last lines, for whoever reads a failure. */
  readonly tail: (lines: number) => ReadonlyArray<string>
  readonly hash: () => string
  readonly events: () => number
}

const prime = 0x01000193

/** Receives each line of a trace when it is said. */
export type HearLine = (line: string) => void

export const openTrace = (nowMs: () => number, hear: HearLine = () => undefined): Trace => {
  const lines: Array<string> = []
  const violations: Array<string> = []
  const marked = new Set<Mark>()
  let [low, high] = [0x811c9dc5, 0x01234567]
  const say = (text: string): void => {
    const line = `${nowMs()} ${text}`
    lines.push(line)
    hear(line)
    for (let at = 0; at < line.length; at += 1) {
      low = Math.imul(low ^ line.charCodeAt(at), prime)
      high = Math.imul(high ^ (low >>> 7), prime)
    }
  }
  return {
    say,
    violation: text => {
      violations.push(`at ${nowMs()} ms: ${text}`)
      say(`VIOLATION ${text}`)
    },
    violations,
    mark: mark => void marked.add(mark),
    marked,
    tail: count => lines.slice(-count),
    hash: () => `${(low >>> 0).toString(16)}${(high >>> 0).toString(16)}`,
    events: () => lines.length,
  }
}
