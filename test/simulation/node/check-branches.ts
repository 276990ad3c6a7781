import { applyPatch } from 'diff'
import type { CommitId } from '#protocol/atoms.js'
import type { Replacement } from '#src/ports/git.js'
import type { Written } from '#src/writing/command.js'
import { effectsHold } from './check-effects.js'
import type { EnactmentChecks } from './check-enactments.js'
import { textAfterWish } from './expected-text.js'
import { type Acked, type AskedWrite, isAcked } from './ledger.js'
import { intentIdOf, type Objects, type SimCommit } from './objects.js'
import { countsOnce, homonymRows, isWellFormed, lorePaths, sessionsPath, wordsIn } from './plans.js'
import type { Trace } from './trace.js'

/** Every write that was asked for and every move of a branch, held against S12 to S14, S16 and S17. */
export interface BranchChecks {
  readonly asked: ReadonlyArray<AskedWrite>
  readonly ask: (asked: Omit<AskedWrite, 'fate'>) => AskedWrite
  /** A client was shown what its write would do. */
  readonly previewed: (asked: AskedWrite, preview: Written) => void
  /** Nobody settled a write. */
  readonly unanswered: (asked: AskedWrite) => void
  /** Whether a history has a commit, or took the place of one that has it. */
  readonly has: (commit: CommitId, head: CommitId) => boolean
  /** A client has its answer. */
  readonly answered: (asked: AskedWrite, head: CommitId) => void
  /** A branch moved; `who` is a host or `origin`. `parked`: what that host keeps aside. */
  readonly moved: (who: string, from: CommitId, to: CommitId, parked: ReadonlyArray<CommitId>) => void
  /** A person took a word out of the history of origin, which has `to` since. */
  readonly purged: (word: string, from: CommitId, to: CommitId) => void
  /** A host took that history, and what it had of its own on it again. */
  readonly replaced: (who: string, from: CommitId, to: CommitId, parked: ReadonlyArray<CommitId>) => void
  /** Whether a history of the remote that a rewrite has replaced had the commit. */
  readonly hadByOrigin: (commit: CommitId) => boolean
  /** An operator was told that the host is read-only; `opens` when that may be over. */
  readonly closes: (host: string) => void
  readonly opens: (host: string) => void
  /** A converge holds the gate until `signal` fires or the function that is returned is called. */
  readonly holds: (host: string, signal: AbortSignal) => () => void
  /** The gate moved the branch of a host by a write. */
  readonly wrote: (host: string) => void
  /** The gate begins to land a batch while the arms are as they are. */
  readonly lands: (host: string, closedBy: string | null) => void
  /** All is at rest: `who` must have everything that `host` acknowledged, and what it parked. */
  readonly atRest: (who: string, head: CommitId, parked: ReadonlyArray<CommitId>, host: string) => void
}

const words = new WeakMap<SimCommit, ReadonlyArray<string>>()

const wordsOf = (commit: SimCommit): ReadonlyArray<string> => {
  const known = words.get(commit)
  if (known !== undefined) return known
  const found = [...commit.files.values()].flatMap(text => wordsIn(text))
  words.set(commit, found)
  return found
}

/** Words of a commit in files that its first parent has otherwise. */
const newWords = (objects: Objects, commit: SimCommit): ReadonlyArray<string> => {
  const [parent] = commit.parents
  const before = parent === undefined ? null : objects.get(parent).files
  const changed = [...commit.files].filter(([path, text]) => before?.get(path) !== text)
  return changed.flatMap(([, text]) => wordsIn(text))
}

export const branchChecks = (
  objects: Objects,
  { say, violation }: Trace,
  enactments: Pick<EnactmentChecks, 'moved'>,
): BranchChecks => {
  const asked: Array<AskedWrite> = []
  const byWord = new Map<string, AskedWrite>()
  const lastAck = new Map<string, CommitId>()
  const readOnly = new Set<string>()
  const holds = new Map<string, AbortSignal>()
  const intents = new Map<string, Set<string>>()
  /** Words that stand in nothing but what a host parked. */
  const owed: Array<{ readonly who: string; readonly word: string }> = []

  /** Words that nobody may publish again, and which history took the place of which. */
  const purged = new Set<string>()
  const replacements: Array<Replacement> = []
  /** The heads of the remote that a rewrite replaced. */
  const rewritten: Array<CommitId> = []

  /** Whether a history has a commit, or took the place of one that has it. */
  const has = (commit: CommitId, head: CommitId, left: ReadonlyArray<Replacement> = replacements): boolean =>
    objects.isAncestor(commit, head) ||
    left.some(
      one =>
        objects.isAncestor(commit, one.from) &&
        has(
          one.to,
          head,
          left.filter(other => other !== one),
        ),
    )

  const checkPurged = (who: string, commit: SimCommit): void => {
    for (const word of wordsOf(commit))
      if (purged.has(word)) violation(`${who}: ${word} was taken out of the history and is back (D30)`)
  }

  const checkNew = (who: string, commit: SimCommit): void => {
    for (const word of newWords(objects, commit)) {
      const one = byWord.get(word)
      if (one?.dryRun === true) violation(`${who}: the dry run ${word} was written (S17)`)
      if (one?.fate._tag === 'refused')
        violation(`${who}: ${word} was written and "${one.fate.reason}" was answered (S16)`)
    }
  }

  /** A commit of the gate holds one write, and that write changes its block and nothing else. */
  const checkWrite = (who: string, commit: SimCommit): void => {
    const [parent] = commit.parents
    // A commit that was made again merged what its write does with what the remote has.
    if (parent === undefined || intentIdOf(commit) === null || replacements.length > 0) return
    const known = new Set(wordsOf(objects.get(parent)))
    const one = newWords(objects, commit)
      .filter(word => !known.has(word))
      .flatMap(word => byWord.get(word) ?? [])
      .at(0)
    const before = objects.get(parent).files
    for (const [path, text] of commit.files) {
      if (before.get(path) === text || one === undefined) continue
      if (textAfterWish(before.get(path) ?? '', one.wish, homonymRows(one.wish)) !== text)
        violation(`${who}: the commit of ${one.wish.word} is not what the write does to ${path} (S12)`)
    }
  }

  const checkIntent = (who: string, commit: SimCommit): void => {
    const seen = intents.get(who) ?? new Set<string>()
    intents.set(who, seen)
    const intent = intentIdOf(commit)
    if (intent === null) return
    if (seen.has(intent)) violation(`${who}: intent ${intent} is in two commits (S13)`)
    seen.add(intent)
  }

  /** The intents of a branch that has another history since. */
  const recount = (who: string, to: CommitId): void => {
    intents.delete(who)
    for (const commit of objects.between(objects.root(to), to)) checkIntent(who, commit)
  }

  /** A merge leaves out what the other side took away since the base, and what it parks; nothing else. */
  const checkMerge = (
    who: string,
    from: CommitId,
    commit: SimCommit,
    parked: ReadonlyArray<CommitId>,
  ): void => {
    const [ours, theirs] = commit.parents
    if (ours !== from || theirs === undefined) return
    const base = new Set(wordsOf(objects.get(objects.mergeBase(ours, theirs))))
    const merged = new Set(wordsOf(commit))
    const aside = new Set(parked.map(objects.get).flatMap(wordsOf))
    const sides = [ours, theirs].map(side => new Set(wordsOf(objects.get(side))))
    const isRemoved = (word: string): boolean => base.has(word) && sides.some(side => !side.has(word))
    for (const word of sides.flatMap(side => [...side])) {
      if (merged.has(word) || isRemoved(word)) continue
      if (aside.has(word)) owed.push({ who, word })
      else violation(`${who}: the merge ${commit.id.slice(0, 8)} lost ${word} and parked it nowhere (S12)`)
    }
  }

  const checkAck = (one: Acked, head: CommitId): void => {
    const { commit } = one.fate
    const { word } = one.wish
    if (!has(commit, head))
      violation(`${one.host}: ${word} was acknowledged and its commit is not in the branch (S12)`)
    if (!newWords(objects, objects.get(commit)).includes(word))
      violation(`${one.host}: ${word} was acknowledged by a commit without it (S12)`)
    const last = lastAck.get(one.host)
    if (last !== undefined && (last === commit || !has(last, commit)))
      violation(`${one.host}: ${word} was acknowledged out of the order of history`)
    lastAck.set(one.host, commit)
  }

  return {
    asked,
    has: (commit, head) => has(commit, head),
    ask: given => {
      const one: AskedWrite = { ...given, fate: { _tag: 'open' } }
      asked.push(one)
      byWord.set(one.wish.word, one)
      return one
    },
    previewed: ({ host, wish }, { body, commit }) => {
      const text = commit === null ? null : objects.get(commit).files.get(wish.path)
      const diff: unknown = Reflect.get(Object(body), 'diff')
      const after = typeof diff === 'string' ? applyPatch(text ?? '', diff) : false
      if (after !== textAfterWish(text ?? '', wish, homonymRows(wish)))
        violation(`${host}: the dry run of ${wish.word} is not what the write does (S17)`)
    },
    unanswered: ({ host, wish }) => violation(`${host}: nobody answered ${wish.word} (L5)`),
    answered: (one, head) => {
      say(`${one.host} ${one.wish.word} ${one.fate._tag === 'refused' ? one.fate.reason : one.fate._tag}`)
      if (isAcked(one)) checkAck(one, head)
    },
    moved: (who, from, to, parked) => {
      say(`${who} ${from.slice(0, 8)} -> ${to.slice(0, 8)}`)
      if (!objects.isAncestor(from, to)) violation(`${who} did not move forward (S12, S14)`)
      enactments.moved(who, objects.between(from, to))
      for (const commit of objects.between(from, to)) {
        checkNew(who, commit)
        checkWrite(who, commit)
        checkIntent(who, commit)
        if (who === 'origin') checkPurged(who, commit)
      }
      checkMerge(who, from, objects.get(to), parked)
    },
    purged: (word, from, to) => {
      say(`${word} is taken out of origin: ${from.slice(0, 8)} -> ${to.slice(0, 8)}`)
      purged.add(word)
      rewritten.push(from)
      replacements.push({ from, to })
      recount('origin', to)
    },
    replaced: (who, from, to, parked) => {
      say(`${who} ${from.slice(0, 8)} => ${to.slice(0, 8)}`)
      if (!parked.includes(from)) violation(`${who} replaced ${from.slice(0, 8)} and kept it nowhere (S12)`)
      replacements.push({ from, to })
      recount(who, to)
      checkPurged(who, objects.get(to))
    },
    hadByOrigin: commit => rewritten.some(head => objects.isAncestor(commit, head)),
    closes: host => void readOnly.add(host),
    opens: host => void readOnly.delete(host),
    holds: (host, signal) => {
      holds.set(host, signal)
      return () => {
        if (holds.get(host) === signal) holds.delete(host)
      }
    },
    wrote: host => {
      if (holds.get(host)?.aborted === false) violation(`${host} wrote while a converge held its gate (L1)`)
      if (readOnly.has(host)) violation(`${host} wrote after it had answered that it is read-only (S18)`)
    },
    lands: (host, closedBy) => {
      if (closedBy !== null) violation(`${host} lands a write while it is ${closedBy} (S16)`)
    },
    atRest: (who, head, parked, host) => {
      const aside = new Set(parked.map(objects.get).flatMap(wordsOf))
      for (const one of owed)
        if (one.who === who && !aside.has(one.word)) violation(`${who}: ${one.word} is parked no more (S12)`)
      for (const path of lorePaths)
        if (!isWellFormed(objects.get(head).files.get(path) ?? ''))
          violation(`${who}: a block of ${path} has not one place (S12)`)
      if (!countsOnce(objects.get(head).files.get(sessionsPath) ?? ''))
        violation(`${who}: what several hosts added to one session counts twice (S13)`)
      if (!effectsHold(objects.get(head).files))
        violation(`${who}: the closed session changes another block than it meant (S23)`)
      const standing = new Map<string, number>()
      for (const word of wordsOf(objects.get(head))) standing.set(word, (standing.get(word) ?? 0) + 1)
      for (const one of asked.filter(isAcked)) {
        if (one.host !== host) continue
        const { word, kind } = one.wish
        if (!has(one.fate.commit, head)) violation(`${who}: the acknowledged commit of ${word} is lost (S12)`)
        const times = standing.get(word) ?? 0
        if (times > 1 || (kind === 'add' && times < 1))
          violation(`${who}: ${word} was acknowledged and stands ${times} times (S12)`)
      }
    },
  }
}
