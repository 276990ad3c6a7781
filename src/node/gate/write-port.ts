import { isLeft, left } from 'fp-ts/lib/Either.js'
import type { Write, WriteOutcome } from '#actors/write-gate/messages.js'
import { refuse } from '#protocol/refusal.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { type AskAdvice, explainUnanswered } from '#src/kernel/ask-trouble.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WritePort } from '#src/writing/command.js'
import { type PreviewParts, preview } from './preview.js'

export interface WritePortParts extends PreviewParts {
  readonly gate: Ref<Write>
  readonly snapshot: () => Snapshot | null
}

/**
 * Longer than the slowest batch before it: after a timeout the asker does not know whether its write was
 * made.
 */
const writeDeadlineMs = 60_000

const advice: AskAdvice = {
  mayHaveActed: 'the write may have succeeded. Read what it would change before you send it again.',
  didNothing: 'nothing was written. Send it again after the seconds of Retry-After.',
}

/** The single entry for writes: a dry run is answered here, everything else by the gate. */
export const writePort =
  (parts: WritePortParts): WritePort =>
  async (command, isCallerThere) => {
    const snapshot = parts.snapshot()
    if (snapshot === null)
      return left(refuse('Starting', 'The host is still reading the lore. Try again in a second.'))
    if (command.dryRun) return preview(parts, snapshot, command, isCallerThere)
    const asked = (replyTo: ReplyTo<WriteOutcome>): Write => ({ _tag: 'Write', command, replyTo })
    const answer = await ask<Write, WriteOutcome>(parts.gate, asked, writeDeadlineMs, isCallerThere)
    if (isLeft(answer))
      return left(refuse('Overloaded', explainUnanswered('the write gate', answer.left, advice)))
    return answer.right
  }
