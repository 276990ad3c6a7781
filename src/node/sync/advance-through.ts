import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AdvanceBranch, AdvanceFailure, HoldGate } from '#actors/repository-sync/join-remote.js'
import type { Incoming } from '#actors/repository-sync/state.js'
import type { AdvanceOutcome, GateHeld, GateRequest, LeaseOver } from '#actors/write-gate/messages.js'
import { CommitId } from '#protocol/atoms.js'
import { robotChangesOf } from '#src/adapters/sync/robot-changes.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import { type RobotChange, robotPaths, robotRows } from '#src/domain/lint/robot-files.js'
import { type AskFailure, ask, type Ref, type ReplyTo, tell } from '#src/kernel/actor/ref.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { GitHistory } from '#src/ports/git.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Returns the function that moves the branch through the gate without a lease, in its turn among the writes.
 * It waits at most `gateAnswerMs`. Left: `Away` (the branch did not move), `Unknown` (it may have moved), or
 * the refusal of the gate.
 */
export const makeAdvanceBranch = (gate: Ref<GateRequest>): AdvanceBranch => advanceUnder(gate, null)

/**
 * Returns the function that runs work under a lease of the gate, during which no write of this host lands.
 * Left: there was no lease and the work did not begin. The signal of the work aborts after `limitMs`, when
 * the gate ends the lease, and when the gate cannot report its end; a move after that is refused. The
 * function always waits for work that began, so its result counts even where the lease ended, and rejects
 * when the work rejects. It always releases the lease.
 */
export const makeHoldGate =
  (gate: Ref<GateRequest>, clock: Pick<KernelClock, 'after'>): HoldGate =>
  async <A>(
    work: (advance: AdvanceBranch, signal: AbortSignal) => Promise<A>,
    limitMs: number,
  ): Promise<Either<string, A>> => {
    const lease = await takeLease(gate, limitMs)
    if (isLeft(lease)) return left(awayWords(lease.left))
    const given = new AbortController()
    const giveBack = (): void => {
      given.abort()
      tell(gate, { _tag: 'Release', lease: lease.right })
    }
    const follow = (replyTo: ReplyTo<LeaseOver>): GateRequest => ({
      _tag: 'Follow',
      lease: lease.right,
      replyTo,
    })
    void ask<GateRequest, LeaseOver>(gate, follow, limitMs + gateAnswerMs).then(() => given.abort())
    const cancel = clock.after(limitMs, giveBack)
    try {
      return right(await work(advanceUnder(gate, lease.right), given.signal))
    } finally {
      cancel()
      tell(gate, { _tag: 'Release', lease: lease.right })
    }
  }

/**
 * The commits of a range that changed files which only the daemon writes, and whether their trailers are
 * authentic.
 */
export const robotCommits =
  ({ repo, history, isVerified, snapshot }: RobotCommitsSetup) =>
  async (range: Incoming, signal: AbortSignal): Promise<ReadonlyArray<RobotChange>> => {
    const keys = snapshot()?.fleetKeys ?? null
    const verified = async (id: string): Promise<boolean> => {
      const commit = CommitId.decode(id)
      if (keys === null || history === null || isLeft(commit)) return false
      const told = await history.commit(commit.right)
      return told !== null && isVerified(told, keys)
    }
    const changes: Array<RobotChange> = []
    for (const change of await robotChangesOf(repo, range, robotPaths, robotRows, signal))
      changes.push({ ...change, verified: await verified(change.commit) })
    return changes
  }

/** How long an ask waits for the gate, which first completes the writes that came before. */
const gateAnswerMs = 120_000

const awayWords = ({ _tag }: AskFailure): string => `the write gate did not answer: ${_tag}`

/**
 * A gate that did not accept the message did nothing. After any other failure it is unknown whether the
 * branch moved.
 */
const failureOf = (failure: AskFailure): AdvanceFailure => {
  const isUntaken = failure._tag === 'Full' || failure._tag === 'Gone' || failure._tag === 'Unavailable'
  return { _tag: isUntaken ? 'Away' : 'Unknown', reason: awayWords(failure) }
}

const lapsed: AdvanceFailure = { _tag: 'Away', reason: 'the lease of the write gate has ended' }

const resultOf = (outcome: AdvanceOutcome): Either<AdvanceFailure, void> => {
  if (outcome._tag === 'Advanced') return right(undefined)
  return left(outcome._tag === 'Lapsed' ? lapsed : outcome)
}

/** Moves the branch through the gate, under a lease or in its turn. A gate that is down is a failure. */
const advanceUnder =
  (gate: Ref<GateRequest>, lease: string | null): AdvanceBranch =>
  async (from, to, reason, replaces = false) => {
    const asked = (replyTo: ReplyTo<AdvanceOutcome>): GateRequest => ({
      _tag: 'Advance',
      from,
      to,
      reason,
      replaces,
      lease,
      replyTo,
    })
    const answer = await ask<GateRequest, AdvanceOutcome>(gate, asked, gateAnswerMs)
    return isLeft(answer) ? left(failureOf(answer.left)) : resultOf(answer.right)
  }

/** Takes a lease, or returns why there is none. */
const takeLease = async (gate: Ref<GateRequest>, limitMs: number): Promise<Either<AskFailure, string>> => {
  let lease = ''
  const asked = (replyTo: ReplyTo<GateHeld>): GateRequest => {
    lease = replyTo.askId
    return { _tag: 'Hold', lease, limitMs, replyTo }
  }
  const answer = await ask<GateRequest, GateHeld>(gate, asked, gateAnswerMs)
  if (!isLeft(answer)) return right(lease)
  tell(gate, { _tag: 'Release', lease })
  return answer
}

interface RobotCommitsSetup {
  readonly repo: string
  /** Null on a plain directory: then no commit is verified. */
  readonly history: GitHistory | null
  readonly isVerified: IsVerified
  readonly snapshot: () => Snapshot | null
}
