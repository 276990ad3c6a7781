import type { CommitId } from '#protocol/atoms/commit.js'
import { type Asked, isAcked } from './ledger.js'
import { intentOf, type Objects } from './objects.js'
import type { Trace } from './trace.js'

/** The truth of one world, and what of RELIABILITY part 2 is held against it while it goes on. */
export interface Checks {
  readonly asked: ReadonlyArray<Asked>
  readonly ask: (asked: Omit<Asked, 'fate'>) => Asked
  /** A client has its answer. */
  readonly answered: (asked: Asked, head: CommitId) => void
  /** A branch moved; `who` is a host or `origin`. */
  readonly moved: (who: string, from: CommitId, to: CommitId) => void
  /** Whoever reads events of a host got one. */
  readonly event: (host: string, life: number, seq: number, text: string) => void
  /** All is at rest: `head` of a host, which must have all that it acknowledged. */
  readonly atRest: (host: string, head: CommitId) => void
}

const timesIn = (text: string, line: string): number =>
  text.split('\n').reduce((count, one) => count + (one === line ? 1 : 0), 0)

export const openChecks = (objects: Objects, trace: Trace): Checks => {
  const asked: Array<Asked> = []
  const byLine = new Map<string, Asked>()
  const lastAck = new Map<string, number>()
  const events = new Map<string, Map<number, string>>()
  const lastSeq = new Map<string, number>()
  const { violation } = trace

  const linesOf = (id: CommitId): ReadonlyArray<string> =>
    [...objects.get(id).files.values()].flatMap(text => text.split('\n').filter(line => byLine.has(line)))

  const checkNew = (who: string, id: CommitId): void => {
    for (const line of linesOf(id)) {
      const one = byLine.get(line)
      if (one?.dryRun === true) violation(`${who}: the dry run ${line} was written (S17)`)
      if (one?.fate._tag === 'refused')
        violation(`${who}: ${line} was written after "${one.fate.reason}" was answered (S16)`)
    }
  }

  const checkIntents = (who: string, to: CommitId): void => {
    const seen = new Set<string>()
    for (const id of objects.history(to)) {
      const intent = intentOf(objects.get(id))
      if (intent === null) continue
      if (seen.has(intent)) violation(`${who}: intent ${intent} is in two commits (S13)`)
      seen.add(intent)
    }
  }

  const checkAck = (one: Asked, commit: CommitId, head: CommitId): void => {
    if (!objects.isAncestor(commit, head))
      violation(`${one.host}: ${one.line} was acknowledged and its commit is not in the branch (S12)`)
    const size = objects.history(commit).size
    if (size <= (lastAck.get(one.host) ?? 0))
      violation(`${one.host}: ${one.line} was acknowledged out of the order of history`)
    lastAck.set(one.host, size)
  }

  return {
    asked,
    ask: given => {
      const one: Asked = { ...given, fate: { _tag: 'open' } }
      asked.push(one)
      byLine.set(one.line, one)
      return one
    },
    answered: (one, head) => {
      trace.say(`${one.host} ${one.line} ${one.fate._tag}`)
      if (isAcked(one)) checkAck(one, one.fate.commit, head)
    },
    moved: (who, from, to) => {
      trace.say(`${who} ${from.slice(0, 8)} -> ${to.slice(0, 8)}`)
      if (!objects.isAncestor(from, to)) violation(`${who} did not move forward (S12, S14)`)
      const before = objects.history(from)
      for (const id of objects.history(to)) if (!before.has(id)) checkNew(who, id)
      checkIntents(who, to)
    },
    event: (host, life, seq, text) => {
      const known = events.get(host) ?? new Map<number, string>()
      events.set(host, known)
      const before = known.get(seq)
      if (before !== undefined && before !== text) violation(`${host}: event ${seq} was given twice (S27)`)
      known.set(seq, text)
      const key = `${host}.${life}`
      const last = lastSeq.get(key)
      if (last !== undefined && seq !== last + 1) violation(`${host}: event ${seq} came behind ${last} (S27)`)
      lastSeq.set(key, seq)
    },
    atRest: (host, head) => {
      const { files } = objects.get(head)
      for (const one of asked.filter(isAcked)) {
        if (one.host !== host) continue
        if (!objects.isAncestor(one.fate.commit, head))
          violation(`${host}: the acknowledged commit of ${one.line} is lost (S12)`)
        const times = timesIn(files.get(one.path) ?? '', one.line)
        if (times !== 1) violation(`${host}: ${one.line} was acknowledged and stands ${times} times (S12)`)
      }
    },
  }
}
