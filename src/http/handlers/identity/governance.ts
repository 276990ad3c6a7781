import { type Either, fromNullable, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { governanceRoutes } from '#protocol/identity/governance.js'
import { type ledgerRoutes, type RefRow, refRowOf, refRows } from '#protocol/lore/ledger.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { configPath, readSchedules, schedulesAnswer } from '#src/domain/config/schedules.js'
import { listPermissions, permissionsPath, readPermissions } from '#src/domain/identity/permissions.js'
import { logOf } from '#src/domain/ledger/ledger-file.js'
import { membershipAt, pinOf, refsOf, stateOf } from '#src/domain/ledger/state.js'
import { refuseMissingParameter } from '#src/http/checks/query.js'
import type { Handlers } from '#src/http/routing/handler.js'

/** Permissions of narrators and owners of schedules (A 4.11): functions of the committed files. */
export const governanceHandlers: Handlers<Reads> = {
  'config.schedules.get': ({ snapshot }) =>
    right({ body: schedulesAnswer(readSchedules(snapshot.files.get(configPath) ?? null)) }),
  'governance.permissions.list': ({ snapshot, query }) => {
    const { rows } = readPermissions(snapshot.files.get(permissionsPath) ?? null)
    if (rows === null) {
      const detail = `${permissionsPath} cannot be read. Fix it, and commit that.`
      return left(refuse('StoreUnreadable', detail, { file: permissionsPath }))
    }
    const items = listPermissions(snapshot, rows, query.id)
    return right({ body: { count: items.length, items } })
  },
}

const refNamed = (name: string): Either<RefusalOf<'RefNotFound'>, RefRow> =>
  fromNullable(
    refuse('RefNotFound', `The ledger has no ref "${name}". GET /governance/refs lists them.`, {
      refs: refRows.map(row => row.ref),
    }),
  )(refRowOf(name))

/** The governance ledger (B 4.9): public, a function of the works tree and the day. */
export const ledgerHandlers: Handlers<typeof ledgerRoutes> = {
  'governance.refs.list': ({ snapshot }) => right({ body: refsOf(snapshot.ledger) }),
  'governance.pin.get': ({ snapshot, query }) =>
    right({ body: pinOf(snapshot.ledger, query.at ?? snapshot.day) }),
  'governance.get': ({ snapshot, path, query }) =>
    pipe(
      refNamed(path.ref),
      map(ref => ({ body: stateOf(snapshot.ledger, ref, query.at ?? snapshot.day) })),
    ),
  'governance.log.list': ({ snapshot, path, query }) =>
    pipe(
      refNamed(path.ref),
      map(ref => {
        const items = logOf(snapshot.ledger, ref, query.since ?? null, query.until ?? null)
        return { body: { ref: ref.ref, title: ref.title, count: items.length, items } }
      }),
    ),
  'governance.held.get': ({ snapshot, path, query }) => {
    const ref = refNamed(path.ref)
    if (isLeft(ref)) return ref
    const subject = query.subject?.trim()
    return subject === undefined
      ? left(refuseMissingParameter('subject'))
      : right({ body: membershipAt(snapshot.ledger, ref.right, subject, query.at ?? snapshot.day) })
  },
}

type Reads = Pick<typeof governanceRoutes, 'config.schedules.get' | 'governance.permissions.list'>
