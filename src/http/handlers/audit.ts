import { type Either, left, right } from 'fp-ts/lib/Either.js'
import {
  type ChangeCursor,
  type CommitId,
  cursorText,
  type Day,
  instantOf,
  type NameKey,
  nameKey,
} from '#protocol/atoms.js'
import type { Windowed } from '#protocol/list.js'
import type { auditRoutes, ChangePage, FieldChange, Notification } from '#protocol/lore/audit.js'
import { windowOf } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { changesOfCommit, type Version } from '#src/domain/audit/changed-file.js'
import { type Found, showDifference, showText } from '#src/domain/audit/differences.js'
import { isPartyKnown, moneyLedger } from '#src/domain/audit/money-ledger.js'
import { notifications } from '#src/domain/audit/notifications.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { OwnScope } from '#src/domain/identity/readable.js'
import { keysMeant } from '#src/domain/names/resolve.js'
import { runWithPauses, type Sliced } from '#src/domain/slicing/sliced.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { GitHistory, PastCommit, PastFile, PastVersion, PastWalk } from '#src/ports/git.js'
import type { Host } from '#src/ports/host.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { refuseMissing } from './entities.js'

/** Announcements and changes (B 4.5). */
export const auditHandlers: Handlers<typeof auditRoutes, Pick<Host, 'history' | 'isVerified'>> = {
  'audit.ledger.list': ({ caller, query, snapshot }) => {
    const scope = ownScopeAt(snapshot, caller)
    if (scope !== null && scope.person === null)
      return notTheirs('This token does not belong to a Gracz. Use the token of a player.')
    const { entity } = query
    if (scope !== null && entity !== undefined && !scope.isOwnCharacter(entity) && !scope.isSelf(entity))
      return notTheirs('With your rights you may see only the money of your own Gracz and Postacie.')
    if (entity !== undefined && !isPartyKnown(snapshot, entity))
      return left(refuseMissing(snapshot.entities, entity, null))
    const only = scope === null ? null : partiesOf(snapshot, scope)
    return right({ body: inSlices(moneyLedger(snapshot, only, query, windowOf(query))) })
  },
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

const notTheirs = (detail: string): Either<RefusalOf<'Forbidden'>, never> =>
  left(refuse('Forbidden', detail, { required: 'currency.read' }))

/** The blocks whose money is the caller's own: their Postacie and their Gracz. */
const partiesOf = ({ entities }: Snapshot, { blocks, person }: OwnScope): ReadonlyArray<Entity> => [
  ...blocks,
  ...(person === null ? [] : (entities.byHeading.get(person.key) ?? [])).filter(one => one.type === 'Gracz'),
]

const changesDefault = 100
const changesMax = 500

const hideMessages = function* (
  view: View,
  work: Sliced<Windowed<Notification>>,
): Sliced<Windowed<Notification>> {
  const list = yield* work
  return view.sessions ? list : { ...list, items: list.items.map(one => ({ ...one, message: null })) }
}

/** The filters of a request for changes (B 4.5). */
interface ChangesWanted {
  /** The keys of the names that count; absent: every name. */
  readonly names?: ReadonlySet<NameKey> | undefined
  readonly field?: string | undefined
  readonly file?: string | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly limit: number
  readonly view: View
  /** Whether the origin that a commit claims is authentic. */
  readonly isVerified: (commit: PastCommit) => boolean
}

const commitsMax = 500
const filesMax = 2_000
const dayMs = 86_400_000

type Refused = RefusalOf<'Overloaded'>

const startOf = (day: Day | undefined): number | null =>
  day === undefined ? null : Date.parse(`${day}T00:00:00Z`)

const endOf = (day: Day | undefined): number | null => {
  const startMs = startOf(day)
  return startMs === null ? null : startMs + dayMs - 1
}

const versionOf = async (history: GitHistory, past: PastVersion | null): Promise<Version | null> =>
  past === null ? null : { path: past.path, text: past.blob === null ? null : await history.text(past.blob) }

const findChanges = async (
  history: GitHistory,
  walk: PastWalk,
  { before, after }: PastFile,
): Promise<ReadonlyArray<Found>> => {
  const befores: Array<Version | null> = []
  for (const past of before) befores.push(await versionOf(history, past))
  return runWithPauses(changesOfCommit(befores, await versionOf(history, after)), walk.breathe)
}

/** The entry that stands for the files that a commit with too many changes does not list. */
const manyMore: Found = {
  kind: 'file',
  name: null,
  field: null,
  op: 'changed',
  was: null,
  is: null,
  withheld: 'unread',
}

const wants =
  ({ names, field }: ChangesWanted) =>
  (found: Found): boolean =>
    (names === undefined || (found.name !== null && names.has(nameKey(found.name)))) &&
    (field === undefined ||
      (found.field !== null && nameKey(found.field) === nameKey(field.replace(/^@/, ''))))

const isOf = ({ before, after }: PastFile, path: string | undefined): boolean =>
  path === undefined || [...before, after].some(version => version?.path === path)

/** A commit with the verdict on its origin, computed once for all of its changes. */
interface Judged extends PastCommit {
  readonly verified: boolean
}

const changeOf = (commit: Judged, file: string, found: Found, view: View): FieldChange => ({
  commit: commit.id,
  at: instantOf(commit.committedMs),
  authoredAt: instantOf(commit.authoredMs),
  who: showText(commit.author),
  actor: commit.trailers.actor === null ? null : showText(commit.trailers.actor),
  route: commit.trailers.route === null ? null : showText(commit.trailers.route),
  intent: commit.trailers.intent === null ? null : showText(commit.trailers.intent),
  verified: commit.verified,
  subject: showText(commit.subject),
  file: showText(file),
  ...showDifference(view)(found),
})

/** The changes of a commit in the order of its files, each with the cursor after it. */
async function* changesOf(
  history: GitHistory,
  walk: PastWalk,
  commit: Judged,
  start: ChangeCursor,
  wanted: ChangesWanted,
): AsyncGenerator<{ readonly change: FieldChange | null; readonly next: ChangeCursor }> {
  const admits = wants(wanted)
  for (const [nth, file] of commit.files.entries()) {
    if (nth < start.file) continue
    const skipped = nth === start.file ? start.item : 0
    const found = isOf(file, wanted.file) ? await findChanges(history, walk, file) : []
    const path = file.after?.path ?? file.before[0]?.path ?? ''
    for (const [item, one] of found.entries())
      if (item >= skipped && admits(one))
        yield {
          change: changeOf(commit, path, one, wanted.view),
          next: { ...start, file: nth, item: item + 1 },
        }
    yield { change: null, next: { ...start, file: nth + 1, item: 0 } }
  }
  if (commit.cut && admits(manyMore) && start.file <= commit.files.length)
    yield {
      change: changeOf(commit, '', manyMore, wanted.view),
      next: { ...start, file: commit.files.length + 1, item: 0 },
    }
}

const pageOf = async (
  history: GitHistory,
  walk: PastWalk,
  start: ChangeCursor,
  wanted: ChangesWanted,
): Promise<ChangePage> => {
  const items: Array<FieldChange> = []
  let [at, commits, files] = [start, 0, 0]
  const page = (next: ChangeCursor | null): ChangePage => ({
    count: items.length,
    items,
    commits,
    next: next === null ? null : cursorText(next),
  })
  for await (const commit of walk.commits) {
    commits += 1
    const judged = { ...commit, verified: wanted.isVerified(commit) }
    for await (const { change, next } of changesOf(history, walk, judged, at, wanted)) {
      if (change !== null && items.length >= wanted.limit) return page(at)
      if (change === null) files += 1
      else items.push(change)
      at = next
      await walk.breathe()
      if (files >= filesMax || walk.spent()) return page(at)
    }
    at = { head: start.head, skip: at.skip + 1, file: 0, item: 0 }
    if (walk.spent()) return page(at)
  }
  return page(commits < commitsMax ? null : at)
}

/** A page of changes from a cursor on. Limited in changes, commits, files and time, whichever comes first. */
const changesFrom = async (
  history: GitHistory,
  start: ChangeCursor,
  wanted: ChangesWanted,
): Promise<Either<Refused, ChangePage>> => {
  const walk = await history.walk({
    head: start.head,
    skip: start.skip,
    max: commitsMax,
    fromMs: startOf(wanted.from),
    toMs: endOf(wanted.to),
    path: wanted.file ?? null,
  })
  if (walk === null)
    return left(refuse('Overloaded', 'Too many requests read the history of git now. Try again in a moment.'))
  try {
    return right(await pageOf(history, walk, start, wanted))
  } finally {
    walk.end()
  }
}

/** The cursor of the newest change that a commit has. */
const cursorAtHead = (head: CommitId): ChangeCursor => ({ head, skip: 0, file: 0, item: 0 })
