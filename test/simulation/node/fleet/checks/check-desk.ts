import { isLeft } from 'fp-ts/lib/Either.js'
import { takeoverRoutes } from '#protocol/fleet/takeover-routes.js'
import type { Table } from '#protocol/route.js'
import type { TakeoverFacts } from '#src/domain/fleet/takeover-refusals.js'
import type { Takeovers } from '#src/ports/fleet.js'
import type { Trace } from '#test/simulation/node/trace.js'
import { expectTakeover } from './expect-takeover.js'

/** What the desk of a process decides by, and what an announcement may not change. */
export interface DeskSight {
  readonly facts: () => TakeoverFacts
  readonly isGateClosed: () => boolean
  /** The roles, the mode, the misses and the jobs of this process. */
  readonly state: () => string
  readonly nowMs: () => number
  /** How long the host neither stopped nor slept. */
  readonly ranMs: () => number
  readonly isOver: () => boolean
}

/** The desk of a process, held against S4, S11 and S19. */
export interface DeskCheck {
  readonly desk: Takeovers
  /** A converge that an announcement or a card began has ended. */
  readonly announcedConverge: () => void
  /** The host read a card that names another apex than its file. */
  readonly cardNamesOther: () => void
  /** Every town failed, so the host asks whether it reaches the remote. */
  readonly asksReach: () => void
  /** The host begins to fetch. */
  readonly fetches: () => void
}

/** Announcements and cards within this time may begin one converge. */
const announceMs = 5_000
/** On the slowest clock, with the turns of the actors. */
const fetchWithinMs = 8_000
const rows: Table = takeoverRoutes

/** No arm of the gate is asked before a row without `write`. */
const checkRow = ({ violation }: Trace, host: string, id: keyof typeof takeoverRoutes): void => {
  if (rows[id]?.write !== false) violation(`${host} asks the gate before ${id} (S19)`)
}

export const checkDesk = (trace: Trace, host: string, sight: DeskSight, desk: Takeovers): DeskCheck => {
  const { violation, mark } = trace
  let [mayConverge, firstMs] = [0, Number.NEGATIVE_INFINITY]
  /** A converge begins at once, and another one 5 s later for what was announced meanwhile. */
  const allowConverges = (): void => {
    const isFirst = sight.nowMs() - firstMs >= announceMs
    if (isFirst) firstMs = sight.nowMs()
    mayConverge += isFirst ? 2 : 0
  }
  // A card is owed a fetch: 5 s after it, or after the converge that runs then.
  let [owedSinceMs, concludedMs]: [number | null, number] = [null, Number.NEGATIVE_INFINITY]
  return {
    asksReach: allowConverges,
    cardNamesOther: () => {
      allowConverges()
      owedSinceMs ??= sight.ranMs()
    },
    fetches: () => {
      if (owedSinceMs === null || sight.isOver()) return
      const waitedMs = sight.ranMs() - Math.max(owedSinceMs, concludedMs)
      if (waitedMs > fetchWithinMs)
        violation(
          `${host} fetches ${Math.round(waitedMs / 1_000)} s after a card that names another apex (S11)`,
        )
      else mark('a card that names another apex brought a converge forward')
      owedSinceMs = null
    },
    desk: {
      ...desk,
      request: (wish, actor, dryRun) => {
        checkRow(trace, host, 'fleet.takeover.run')
        const expected = expectTakeover(sight.facts(), wish)
        const answer = desk.request(wish, actor, dryRun)
        const said = isLeft(answer) ? answer.left._tag : `accepted ${answer.right.target}`
        const isClosed = sight.isGateClosed()
        if (said !== expected)
          violation(
            `${host} says "${said}" to a takeover, and what it sees gives "${expected}" ` +
              `(${isClosed ? 'S4, S19' : 'S4'})`,
          )
        if (!isLeft(answer) && isClosed) mark('a takeover was accepted behind a closed gate')
        return answer
      },
      announce: (announcement, actor, dryRun) => {
        checkRow(trace, host, 'fleet.announce.add')
        const before = sight.state()
        allowConverges()
        const answer = desk.announce(announcement, actor, dryRun)
        if (!answer) violation(`${host} answers an announcement by what it says (S11)`)
        if (!sight.isOver() && sight.state() !== before) violation(`${host} believes an announcement (S11)`)
        return answer
      },
    },
    announcedConverge: () => {
      mayConverge -= 1
      concludedMs = sight.ranMs()
      if (mayConverge < 0 && !sight.isOver())
        violation(`${host} converges more often than once in 5 s for announcements and cards (S11)`)
    },
  }
}
