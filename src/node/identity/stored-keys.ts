import { generateKeyPairSync } from 'node:crypto'
import { type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { writeSecret } from '#src/adapters/state/private-file.js'
import type { RevokedKeys, RevokeOptions, RotatedKeys, RotateOptions } from '#src/cli/keys.js'
import type { KeysList, KeysListOptions } from '#src/cli/keys-list.js'
import { describeKeys } from '#src/domain/identity/credentials/api-keys.js'
import {
  type FleetKeysFile,
  fleetKeysOf,
  fleetKeysPath,
} from '#src/domain/identity/credentials/fleet-keys.js'
import {
  keysOfOtherTowns,
  type PrivateKey,
  pemOf,
  privateKeysOf,
  rotateFleetKey,
  withdrawKeys,
} from '#src/domain/identity/credentials/private-keys.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Stop } from '#src/node/start/checkout.js'
import { stateTold } from '#src/node/start/state-lost.js'
import type { TreeSource } from '#src/ports/git.js'
import {
  atCheckout,
  checkDaemonTown,
  type FleetKeySource,
  fleetKeySource,
  type KeysPlan,
  type KeysPublication,
  type PlanKeys,
  privateKeysAt,
  publishFleetKeys,
  readCheckout,
  stopWith,
  type TellNote,
} from './fleet-keys.js'
import { keysSource, parseStoredKeys } from './secrets.js'

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

/**
 * Withdraws the published keys of a town, from any checkout, without their private halves
 * (docs/spec/fleet-keys.md#revoke). Creates no key and no state area, and commits like a person would, also
 * while a daemon serves the checkout.
 */
export const revokeKeys = (options: RevokeOptions): Promise<Either<Stop, RevokedKeys>> =>
  readCheckout(options.repo, undefined, async ({ path: repo }) =>
    map(({ plan: { file, kids }, commit, behind }: KeysPublication<Revoking>) => ({
      town: options.town,
      revoked: kids,
      epoch: file.epoch,
      keys: file.keys,
      commit,
      behind,
    }))(await publishFleetKeys(repo, 'kronika keys revoke', planRevocation(options.town))),
  )

/**
 * Creates and publishes the next fleet key of a town (docs/spec/fleet-keys.md#rotate), also while its daemon
 * serves the checkout: it takes no fence, and commits like a person would.
 */
export const rotateKeys =
  (variables: NodeJS.ProcessEnv, tell: TellNote) =>
  (options: RotateOptions): Promise<Either<Stop, RotatedKeys>> =>
    atCheckout(options.repo, options.state, tell, async (repo, state) => {
      const its = checkDaemonTown(repo, state, options.town)
      return isLeft(its) ? its : await rotateKeysAt(repo, fleetKeySource(variables, state), options)
    })

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

interface Revoking extends KeysPlan {
  readonly kids: ReadonlyArray<string>
}

const planRevocation =
  (town: string): PlanKeys<Revoking> =>
  stored => {
    const kids = (stored?.keys ?? []).filter(key => key.town === town).map(({ kid }) => kid)
    if (stored !== null && kids.length > 0)
      return right({ file: withdrawKeys(stored, town), kids, subject: `without the fleet keys of ${town}` })
    const towns = [...new Set((stored?.keys ?? []).map(key => key.town))]
    return stopWith(
      exitCodes.usage,
      `no key of ${town} is published; ` +
        (towns.length === 0 ? 'nor is any other.' : `there are keys of ${towns.join(', ')}.`),
    )
  }

const makeKey = (): PrivateKey => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const [key] = privateKeysOf(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  if (key === undefined) throw new Error('a key that was just made cannot be read')
  return key
}

interface Asked {
  readonly source: FleetKeySource
  readonly options: RotateOptions
  readonly held: ReadonlyArray<PrivateKey>
}

const xOf = ({ x }: PrivateKey): string => x

/**
 * Checks the rotation: a host signs for one town, and a key that may be compromised is not published again
 * (docs/spec/fleet-keys.md#rotate).
 */
const checkRotation = (
  { source, options, held }: Asked,
  stored: FleetKeysFile | null,
  nowMs: number,
): Either<Stop, null> => {
  const { town, raiseEpoch } = options
  const [other] = keysOfOtherTowns(stored, { town, held: held.map(xOf), nowMs })
  if (other !== undefined && !raiseEpoch)
    return stopWith(
      exitCodes.usage,
      `${source.name} holds ${other.kid}, published for the town ${other.town}: rotate with --town ${other.town}, ` +
        `or take its keys out first with kronika keys revoke --town ${other.town}.`,
    )
  const [first] = held
  const standing = stored?.keys.find(({ jwk }) => jwk.x === first?.x)
  if (source._tag !== 'Own' && raiseEpoch && standing !== undefined)
    return stopWith(
      exitCodes.usage,
      `${source.name} still has ${standing.kid}, so a person who has it could go on signing. Put a new key there ` +
        'for the daemon and for this command, then rotate.',
    )
  return right(null)
}

/** The key to publish: a new one, written to disk before the older keys, or the key of the environment. */
const nextKey = ({ source, held }: Asked, stored: FleetKeysFile | null): Either<Stop, PrivateKey> => {
  if (source._tag !== 'Own') {
    const [first] = held
    return first === undefined ? stopWith(exitCodes.usage, `${source.name} has no key.`) : right(first)
  }
  const made = makeKey()
  const older = held.filter(({ x }) => stored?.keys.some(key => key.jwk.x === x) === true)
  writeSecret(source.path, [made, ...older].map(pemOf).join(''))
  return right(made)
}

interface Rotating extends KeysPlan {
  readonly kid: string
}

/**
 * Plans a rotation. The private half is on disk when a plan is made; all plans of one rotation publish the
 * same key.
 */
const planOver = (asked: Asked): PlanKeys<Rotating> => {
  const { town, raiseEpoch: raisesEpoch } = asked.options
  const held = asked.held.map(xOf)
  let key: PrivateKey | null = null
  return (stored, nowMs) => {
    const may = checkRotation(asked, stored, nowMs)
    if (isLeft(may)) return may
    const next: Either<Stop, PrivateKey> = key === null ? nextKey(asked, stored) : right(key)
    if (isLeft(next)) return next
    key = next.right
    const { file, kid } = rotateFleetKey(stored, { town, x: key.x, held, raisesEpoch, nowMs })
    return right({ file, kid, subject: `the fleet key ${kid}, epoch ${file.epoch}` })
  }
}

const rotateKeysAt = async (
  repo: string,
  source: FleetKeySource,
  options: RotateOptions,
): Promise<Either<Stop, RotatedKeys>> => {
  const held = privateKeysAt(source)
  if (isLeft(held)) return stopWith(exitCodes.usage, `${source.name}: ${held.left}.`)
  const plan = planOver({ source, options, held: held.right })
  return map(({ plan: { file, kid }, commit, behind }: KeysPublication<Rotating>) => ({
    kid,
    town: options.town,
    epoch: file.epoch,
    keys: file.keys,
    commit,
    privateKey: source.name,
    behind,
  }))(await publishFleetKeys(repo, 'kronika keys rotate', plan))
}
