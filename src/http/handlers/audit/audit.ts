import { left, right } from 'fp-ts/lib/Either.js'
import type { auditRoutes, Notification } from '#protocol/audit.js'
import type { Windowed } from '#protocol/list.js'
import { windowOf } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { notifications } from '#src/domain/audit/notifications.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import type { View } from '#src/domain/callers/caller.js'
import { keysMeant } from '#src/domain/names/possible-forms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { GitHistory, PastCommit } from '#src/ports/git.js'
import { changesFrom, cursorAtHead } from './audit-changes.js'

export interface HistoryDeps {
  /** The history of the served commit; null on a plain directory. */
  readonly history: GitHistory | null
  /** Whether the trailers of a commit are authentic. */
  readonly isVerified: IsVerified
}

const changesDefault = 100
const changesMax = 500

const hideMessages = function* (
  view: View,
  work: Sliced<Windowed<Notification>>,
): Sliced<Windowed<Notification>> {
  const list = yield* work
  return view.sessions ? list : { ...list, items: list.items.map(one => ({ ...one, message: null })) }
}

/** Announcements and changes (B 4.5). */
export const auditHandlers: Handlers<typeof auditRoutes, HistoryDeps> = {
  'audit.notifications.list': ({ caller, query, snapshot }) =>
    right({ body: inSlices(hideMessages(caller.view, notifications(snapshot, query, windowOf(query)))) }),
  'audit.changes.list': async ({ caller, node, query, snapshot }) => {
    const { history } = node
    const head = snapshot.commit
    if (history === null)
      return left(
        refuse('NoRepository', 'This host serves a plain directory, which has no history of changes.'),
      )
    if (head === null) return right({ body: { count: 0, items: [], commits: 0, next: null } })
    const start = query.cursor ?? cursorAtHead(head)
    if (start.head !== head && !(await history.has(head, start.head)))
      return left(
        refuse('ParameterInvalid', '`cursor` belongs to another history. Start again without it.', {
          parameter: 'cursor',
        }),
      )
    const limit = Math.min(query.limit ?? changesDefault, changesMax)
    const isVerified = (commit: PastCommit): boolean => node.isVerified(commit, snapshot.fleetKeys)
    const names = query.name === undefined ? undefined : keysMeant(snapshot.names, query.name)
    const page = await changesFrom(history, start, { ...query, names, limit, view: caller.view, isVerified })
    return page._tag === 'Left' ? page : right({ body: page.right })
  },
}
