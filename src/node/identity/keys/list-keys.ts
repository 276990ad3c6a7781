import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import type { KeysList, KeysListOptions } from '#src/cli/keys-list.js'
import { describeKeys } from '#src/domain/identity/api-keys.js'
import { fleetKeysOf, fleetKeysPath } from '#src/domain/identity/fleet-keys.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Stop } from '#src/node/start/checkout.js'
import { stateTold } from '#src/node/start/state-lost.js'
import type { TreeSource } from '#src/ports/git.js'
import { type FleetKeySource, fleetKeySource, privateKeysAt } from './fleet-key.js'
import { readCheckout, stopWith, type TellNote } from './keys-checkout.js'
import { keysSource, parseStoredKeys } from './stored-keys.js'

const listKeysOf = async (source: TreeSource, own: FleetKeySource): Promise<Either<Stop, KeysList>> => {
  const { commit } = await source.head()
  if (commit === null)
    return stopWith(exitCodes.usage, 'the repository has no commit yet. Commit the lore first.')
  const found = await source.file(fleetKeysPath)
  if (found === null)
    return stopWith(
      exitCodes.usage,
      `no fleet keys are published: HEAD has no ${fleetKeysPath}. kronika keys rotate --town NAME publishes the ` +
        'first one; where another host has done so, converge this checkout (POST /sync, or git pull).',
    )
  const file = keysSource(found)
  const stored = parseStoredKeys(file)
  if (isLeft(stored)) return stored
  const held = privateKeysAt(own)
  const halves = isLeft(held) ? null : held.right.map(({ x }) => x)
  return right({
    commit,
    epoch: stored.right.epoch,
    privateKey: own.name,
    unreadable: isLeft(held) ? held.left : null,
    keys: describeKeys(fleetKeysOf(file), halves, realClock.nowMs()),
  })
}

/**
 * Lists the fleet keys that HEAD publishes, also while a daemon serves the checkout
 * (docs/spec/fleet-keys.md#list). Writes nothing.
 */
export const listKeys =
  (variables: NodeJS.ProcessEnv, tell: TellNote) =>
  (options: KeysListOptions): Promise<Either<Stop, KeysList>> =>
    readCheckout(options.repo, options.state, (source, state) => {
      const note = stateTold(source.path, state, false)
      if (note !== null) tell(note)
      return listKeysOf(source, fleetKeySource(variables, state))
    })
