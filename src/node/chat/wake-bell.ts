/**
 * Lets one `Wake` at a time wait in the mailbox of the dispatch queue, of the courier of answers or of the chat sender.
 * Every wake has the actor look at the store once more, so a second one adds nothing, and a flood of interactions or
 * messages would fill the mailbox and keep the outcomes of calls waiting.
 */
export interface WakeBell {
  /** Calls `wake` unless a wake waits already. A wake that was not accepted does not count. */
  readonly ring: (wake: () => boolean) => void
  /** The actor looks at the store now: what is recorded later needs another wake. */
  readonly silence: () => void
}

export const openWakeBell = (): WakeBell => {
  let isRinging = false
  return {
    ring: wake => {
      if (!isRinging) isRinging = wake()
    },
    silence: () => {
      isRinging = false
    },
  }
}

/** The look of an actor at its store; it silences the bell first. */
export const silenceBefore =
  <Given extends ReadonlyArray<unknown>, Found>(
    { silence }: Pick<WakeBell, 'silence'>,
    look: (...given: Given) => Found,
  ): ((...given: Given) => Found) =>
  (...given) => {
    silence()
    return look(...given)
  }
