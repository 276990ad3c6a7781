import { type Either, left } from 'fp-ts/lib/Either.js'
import type { rosterRoutes } from '#protocol/people.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Reader } from '#src/domain/callers/caller.js'
import { personNamed, rosterStoreProperty } from '#src/domain/people/roster.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

type Refused = Either<RefusalOf<'Forbidden' | 'RosterStoreProperty'>, never>

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * 403 where the caller is limited to their own person and names another; 422 in all other cases (A 4.6.1).
 */
const refuseReader = (snapshot: Snapshot, caller: Reader, name: string, tag: string | null): Refused => {
  const scope = ownScopeAt(snapshot, caller)
  if (scope !== null && !scope.isSelf(name))
    return left(
      refuse('Forbidden', 'With your rights you may see only your own Gracz.', { required: 'player.write' }),
    )
  return left(rosterStoreProperty(personNamed(snapshot.people, name)?.name ?? name, tag))
}

/** Writes of people (A 4.6.1): always refused, also as a dry run. */
export const rosterHandlers: Handlers<typeof rosterRoutes> = {
  'people.create': ({ snapshot, caller, body }) =>
    refuseReader(snapshot, caller, textOf(body.name) ?? '', textOf(body.tag)),
  'people.update': ({ snapshot, caller, path, body }) =>
    refuseReader(snapshot, caller, path.name, textOf(body.tag)),
  'people.delete': ({ snapshot, caller, path }) => refuseReader(snapshot, caller, path.name, null),
  'people.chatChannel.set': ({ snapshot, caller, path }) =>
    refuseReader(snapshot, caller, path.name, '@chat'),
}
