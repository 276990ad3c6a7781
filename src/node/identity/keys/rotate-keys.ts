import { generateKeyPairSync } from 'node:crypto'
import { type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { writeSecret } from '#src/adapters/state/private-file.js'
import type { RotatedKeys, RotateOptions } from '#src/cli/keys.js'
import type { FleetKeysFile } from '#src/domain/identity/fleet-keys.js'
import {
  keysOfOtherTowns,
  type PrivateKey,
  pemOf,
  privateKeysOf,
  rotateFleetKey,
} from '#src/domain/identity/private-keys.js'
import type { Stop } from '#src/node/start/checkout.js'
import { checkDaemonTown } from '../daemon-town.js'
import { type FleetKeySource, fleetKeySource, privateKeysAt } from './fleet-key.js'
import { atCheckout, stopWith, type TellNote } from './keys-checkout.js'
import { type KeysPlan, type KeysPublication, type PlanKeys, publishFleetKeys } from './publish-fleet-keys.js'

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
