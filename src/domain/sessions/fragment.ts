import type { Window } from '#protocol/list.js'
import type { SessionRow, SessionSummary } from '#protocol/sessions.js'
import type { View } from '#src/domain/callers/caller.js'
import { renderWholeJsonInSlices } from '#src/domain/json/json-bytes.js'
import { renderListInSlices } from '#src/domain/json/list-bytes.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { rowOf, type SessionNames, sessionNamesOf, summaryOf } from './row.js'
import type { Session } from './session.js'
import { sessionFor } from './shown-session.js'

interface SessionFragment {
  readonly named: SessionNames
  readonly bytes: Buffer
}

const sameNamed = (left: SessionNames, right: SessionNames): boolean =>
  left.reporter === right.reporter &&
  (left.places === right.places ||
    (left.places.length === right.places.length &&
      left.places.every((place, at) => place === right.places[at])))

/**
 * The JSON of a session; reused while the session and the parts that it takes from the names stay the same
 * (D16).
 */
const fragments = (project: (session: Session, named: SessionNames) => SessionRow | SessionSummary) => {
  const kept = new WeakMap<Session, SessionFragment>()
  return function* (session: Session, names: NameIndex, view: View): Sliced<Buffer> {
    const shown = sessionFor(view, session)
    const known = kept.get(shown)
    const named = sessionNamesOf(shown, names)
    if (known !== undefined && sameNamed(known.named, named)) return known.bytes
    const bytes = yield* renderWholeJsonInSlices(project(shown, named))
    kept.set(shown, { named, bytes })
    return bytes
  }
}

const alone = function* (fragment: Sliced<Buffer>): Sliced<ReadonlyArray<Buffer>> {
  return [yield* fragment]
}

const list =
  (fragmentOf: (session: Session, names: NameIndex, view: View) => Sliced<Buffer>) =>
  (all: ReadonlyArray<Session>, window: Window, names: NameIndex, view: View): Sliced<Buffer> =>
    renderListInSlices(all, window, session => alone(fragmentOf(session, names, view)))

/** The list of session rows in the window, filtered by the view. Yields between sessions. */
export const rowList = list(fragments(rowOf))

/** `rowList` for summaries. */
export const summaryList = list(fragments(summaryOf))
