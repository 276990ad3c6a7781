/** What was refused: a token of a request, or the sign-in with the game or the chat. */
export type CredentialKind = 'token' | 'game' | 'chat'

/** How many refusals of a window get a line of their own; the others are counted. */
export interface FoldRule {
  readonly windowMs: number
  /** For each client network and kind of credential. */
  readonly linesPerClient: number
  /** For all clients together. It also limits the memory: only clients with a line are remembered. */
  readonly linesMax: number
}

/** At most 103 lines an hour: about 10 MB in 30 days, a third of what a stream holds by default. */
export const refusalFoldRule: FoldRule = { windowMs: 3_600_000, linesPerClient: 10, linesMax: 100 }

/** The refusals of one kind in a window that got no line of their own. */
export interface FoldedRefusals {
  readonly kind: CredentialKind
  readonly count: number
  /** The first and the last moment of the window, in milliseconds since the epoch. */
  readonly fromMs: number
  readonly toMs: number
}

/** The effects of one refusal. */
export interface FoldStep {
  /**
   * The counts of the window that this refusal ended; empty when it ended none or there is nothing to count.
   */
  readonly folded: ReadonlyArray<FoldedRefusals>
  readonly hasOwnLine: boolean
  /** This refusal began a window: the caller must end it after `windowMs`. */
  readonly isFirst: boolean
}

export interface RefusalFold {
  readonly add: (kind: CredentialKind, network: string, nowMs: number) => FoldStep
  /** Ends the window, whatever its age, and returns its counts. */
  readonly end: (nowMs: number) => ReadonlyArray<FoldedRefusals>
  /** Number of remembered clients. */
  readonly size: () => number
}

/**
 * Limits the lines that refused credentials write. Lines and counts sum to the number of refusals. A window
 * begins with a refusal and ends with `end`, or with the first refusal `windowMs` later; a clock that went
 * back ends it too.
 */
export const foldRefusals = (rule: FoldRule): RefusalFold => {
  const ownLines = new Map<string, number>()
  const counts = new Map<CredentialKind, number>()
  let fromMs: number | null = null
  let lines = 0
  const end = (nowMs: number): ReadonlyArray<FoldedRefusals> => {
    const beganMs = fromMs ?? nowMs
    const toMs = Math.max(beganMs, Math.min(nowMs, beganMs + rule.windowMs))
    const folded = [...counts].map(([kind, count]) => ({ kind, count, fromMs: beganMs, toMs }))
    ownLines.clear()
    counts.clear()
    fromMs = null
    lines = 0
    return folded
  }
  return {
    add: (kind, network, nowMs) => {
      const isOver = fromMs !== null && (nowMs >= fromMs + rule.windowMs || nowMs < fromMs)
      const folded = isOver ? end(nowMs) : []
      const isFirst = fromMs === null
      fromMs ??= nowMs
      const client = `${kind} ${network}`
      const own = ownLines.get(client) ?? 0
      const hasOwnLine = lines < rule.linesMax && own < rule.linesPerClient
      if (hasOwnLine) {
        ownLines.set(client, own + 1)
        lines += 1
      } else counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return { folded, hasOwnLine, isFirst }
    },
    end,
    size: () => ownLines.size,
  }
}
