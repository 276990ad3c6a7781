import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type Either, flatMap, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { RepoPath } from '#protocol/atoms.js'
import { exitCodes } from '#protocol/exit-code.js'
import { detachedWords, type Mode } from '#protocol/host/discovery.js'
import { ed25519Signer } from '#src/adapters/jose.js'
import {
  type CommittedBeside,
  type CommittedFile,
  commitBeside,
  type FileCommit,
} from '#src/adapters/landing/commit-beside.js'
import { checkoutHolder } from '#src/adapters/state/fence.js'
import { readSecret, writeSecret } from '#src/adapters/state/private-file.js'
import { excludeState, findDistrust, makeStateArea, readListening } from '#src/adapters/state/state-area.js'
import type { RevokedKeys, RevokeOptions, RotatedKeys, RotateOptions } from '#src/cli/keys.js'
import type { KeysList, KeysListOptions } from '#src/cli/keys-list.js'
import { describeKeys } from '#src/domain/identity/credentials/api-keys.js'
import {
  type FleetKey,
  type FleetKeysFile,
  fleetClaims,
  fleetKeysOf,
  fleetKeysPath,
  fleetPrefix,
  fleetType,
  peerClaims,
  peerType,
  signatureTrailer,
} from '#src/domain/identity/credentials/fleet-keys.js'
import {
  findMintKey,
  keysOfOtherTowns,
  type PrivateKey,
  pemOf,
  privateKeysOf,
  rotateFleetKey,
  townsOf,
  withdrawKeys,
} from '#src/domain/identity/credentials/private-keys.js'
import { recordListText } from '#src/domain/lore/changes.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Log } from '#src/node/records/records.js'
import { reasonOf } from '#src/node/start/environment.js'
import type { TreeSource } from '#src/ports/git.js'
import type { MintedFleet, MintFleet, MintPeer } from '#src/ports/identity.js'
import type { Draft, Landing, LandingFailure, SignCommit } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { authorOf, commitMessage } from '#src/writing/batch/plan-batch.js'
import { findCommittedState, openSource, type Stop, stateTold } from '../start/checkout.js'
import { keysSource, parseStoredKeys } from './secrets.js'

export interface SignerSources {
  /** The town of this host; empty where it is not in a fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
}

/**
 * Wraps a landing so that its commits are signed with the key that also signs fleet tokens. Reads the key for
 * each batch, so that a rotated key is used at once. Without a key the commits are unsigned.
 */
export const signLanding = <L extends Landing>(landing: L, setup: SignerSources): L => ({
  ...landing,
  open: async (base, superseded) => {
    const opened = await landing.open(base, superseded)
    if (isLeft(opened)) return opened
    const session = opened.right
    return right({
      ...session,
      commit: batch => {
        const sign = signerNow(setup, batch.atMs)
        return session.commit(sign === null ? batch : { ...batch, sign })
      },
    })
  },
})

/** Where the private key of this host comes from; `name` is shown to people, the key never is. */
export type FleetKeySource =
  | { readonly _tag: 'Variable'; readonly name: string; readonly text: string }
  | { readonly _tag: 'Mounted'; readonly name: string; readonly path: string }
  | { readonly _tag: 'Own'; readonly name: string; readonly path: string }

/**
 * The source of the key: `SVC_FLEET_KEY`, otherwise the file that `SVC_FLEET_KEY_FILE` names, otherwise
 * `fleet.key` of the state area (LAYOUT).
 */
export const fleetKeySource = (variables: NodeJS.ProcessEnv, state: string): FleetKeySource => {
  const { SVC_FLEET_KEY: text = '', SVC_FLEET_KEY_FILE: file = '' } = Variables.is(variables) ? variables : {}
  if (text !== '') return { _tag: 'Variable', name: 'SVC_FLEET_KEY', text }
  if (file !== '') return { _tag: 'Mounted', name: `SVC_FLEET_KEY_FILE (${file})`, path: file }
  const path = join(state, 'fleet.key')
  return { _tag: 'Own', name: path, path }
}

/** The keys that are there now, newest first; empty where there are none. Left: what is wrong with them. */
export const privateKeysAt = (source: FleetKeySource): Either<string, ReadonlyArray<PrivateKey>> => {
  const text =
    source._tag === 'Variable' ? right(source.text) : readSecret(source.path, source._tag === 'Own')
  return flatMap((found: string | null): Either<string, ReadonlyArray<PrivateKey>> => {
    if (found === null) return source._tag === 'Own' ? right([]) : left('there is no such file')
    const keys = privateKeysOf(found)
    return keys.length === 0 ? left('it is not an Ed25519 key as PKCS8 PEM or JWK') : right(keys)
  })(text)
}

/** Mints fleet tokens (A 4.3); none in mode ReadOnly, and none without a key that signs. */
export const fleetMint =
  (findSigningKey: FindSigningKey, mode: () => Mode): MintFleet =>
  async (who, nowMs) => {
    if (mode() === 'ReadOnly') return null
    const signing = await findSigningKey(nowMs)
    if (signing === null) return null
    return signFleetToken(signing, fleetType, fleetClaims(who, signing.published, signing.epoch, nowMs))
  }

/** Mints peer tokens (D49), in every mode, because a replica is ReadOnly; none without a key that signs. */
export const peerMint =
  (findSigningKey: FindSigningKey): MintPeer =>
  async nowMs => {
    const signing = await findSigningKey(nowMs)
    if (signing === null) return null
    const { token } = await signFleetToken(
      signing,
      peerType,
      peerClaims(signing.published, signing.epoch, nowMs),
    )
    return token
  }

/**
 * Finds the key that ends first, of this host's keys whose public half the served commit publishes for its
 * town (docs/spec/fleet-keys.md#rotate). Reads the key at each call, so that a rotated key is used at once;
 * where the served commit does not publish it yet, loads the newest commit first, because a rotation commits
 * beside this host. Logs once why a key that is there does not sign.
 */
export const fleetSigner = ({
  town,
  source,
  snapshot,
  look,
  warn,
}: {
  /** The town of this host; empty where it is not in a fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
  /** Loads the newest commit, within seconds; the snapshot stays the same where that fails. Never rejects. */
  readonly look: () => Promise<unknown>
  readonly warn: Log['warn']
}): FindSigningKey => {
  let told: string | null = null
  const findNone = (reason: string | null): null => {
    if (reason !== null && reason !== told) warn('fleet_tokens_off', { key: source.name, reason })
    told = reason
    return null
  }
  const findIn = (
    held: ReadonlyArray<PrivateKey>,
    { fleetKeys }: Snapshot,
    nowMs: number,
  ): SigningKey | null => {
    const minting = findMintKey({ town, held }, fleetKeys, nowMs)
    return minting === null || fleetKeys.epoch === null ? null : { ...minting, epoch: fleetKeys.epoch }
  }
  return async nowMs => {
    const served = snapshot()
    if (served === null) return null
    const held = privateKeysAt(source)
    if (isLeft(held)) return findNone(held.left)
    if (held.right.length === 0) return findNone(null)
    const first = findIn(held.right, served, nowMs)
    if (first === null) await look()
    const newest = snapshot() ?? served
    const signing = first ?? findIn(held.right, newest, nowMs)
    if (signing === null) return findNone(explainUnsigned(town, townsOf(held.right, newest.fleetKeys)))
    told = null
    return signing
  }
}

/** The published file to write, and the message of its commit. */
export interface KeysPlan {
  readonly file: FleetKeysFile
  readonly subject: string
}

/** Plans the published file from the committed one; null where there is none. */
export type PlanKeys<P extends KeysPlan> = (stored: FleetKeysFile | null, nowMs: number) => Either<Stop, P>

/** The published keys after the command; `commit` is null where nothing had to change. */
export interface KeysPublication<P extends KeysPlan> {
  readonly plan: P
  readonly commit: string | null
  /** Whether index or work tree could not be updated to the commit. */
  readonly behind: boolean
}

/** Commits the planned keys like a person would (ADR 1013); plans again where the branch moved meanwhile. */
export const publishFleetKeys = async <P extends KeysPlan>(
  repo: string,
  route: string,
  plan: PlanKeys<P>,
): Promise<Either<Stop, KeysPublication<P>>> => {
  const path = RepoPath.decode(fleetKeysPath)
  if (isLeft(path)) throw new Error(`${fleetKeysPath} is no path`)
  for (let attempt = 1; ; attempt += 1) {
    const atMs = realClock.nowMs()
    let planned: Either<Stop, P> | null = null
    const compose: FileCommit['compose'] = file => {
      const stored = parseStored(file)
      planned = isLeft(stored) ? stored : plan(stored.right, atMs)
      if (isLeft(stored) || isLeft(planned)) return null
      const { file: next, subject } = planned.right
      const after = textOf(next)
      if (stored.right !== null && textOf(stored.right) === after) return null
      return { bytes: Buffer.from(after, 'utf8'), draft: draftOf(subject, route) }
    }
    const outcome = await commitBeside(repo, { path: path.right, compose, atMs })
    if (!isLeft(outcome)) return publishedOf(planned, outcome.right)
    if (outcome.left._tag !== 'Moved' || attempt === attemptsMax) return left(stopOf(outcome.left))
  }
}

/** The failure that ends the command with this exit code and prints the reason. */
export const stopWith = (code: Stop['code'], reason: string): Either<Stop, never> => left({ code, reason })

/** Opens a git checkout and finds its state area. Creates and writes nothing, and does not follow links. */
export const readCheckout = async <A>(
  directory: string,
  stateDirectory: string | undefined,
  work: (source: TreeSource, state: string) => Promise<Either<Stop, A>>,
): Promise<Either<Stop, A>> => {
  const opened = await openSource(directory)
  if (isLeft(opened)) return opened
  const source = opened.right
  try {
    const repo = source.path
    if (source.kind !== 'git')
      return stopWith(
        exitCodes.usage,
        `${repo} is not a git checkout, and keys are published by a commit. Name the lore checkout with --repo.`,
      )
    const state = stateDirectory === undefined ? join(repo, '.svc/state') : resolve(stateDirectory)
    const doubt = findDistrust(repo, state, await findCommittedState(repo, state))
    return doubt === null ? await work(source, state) : stopWith(exitCodes.usage, `${doubt}.`)
  } catch (error) {
    return stopWith(exitCodes.uncaught, reasonOf(error))
  } finally {
    await source.close()
  }
}

/** Receives what the operator must know of the state area, whatever the outcome. */
export type TellNote = (note: string) => void

/**
 * Opens a git checkout and its state area, creating the area where there is none. Takes no fence, so a daemon
 * may be serving it. Reports an area that was lost, or is not the one that this checkout was served with.
 */
export const atCheckout = <A>(
  directory: string,
  stateDirectory: string | undefined,
  tell: TellNote,
  work: (repo: string, state: string) => Promise<Either<Stop, A>>,
): Promise<Either<Stop, A>> =>
  readCheckout(directory, stateDirectory, ({ path: repo }, state) => {
    const note = stateTold(repo, state, true)
    if (note !== null) tell(note)
    excludeState(repo, state)
    makeStateArea(state)
    return work(repo, state)
  })

/**
 * Checks that the process that holds a checkout is the daemon of this town: another would not sign with the
 * town's key. Passes where no process holds the checkout.
 */
export const checkDaemonTown = (repo: string, state: string, town: string): Either<Stop, null> => {
  const holder = checkoutHolder(repo, state)
  if (holder === null) return right(null)
  const daemon = readListening(state)
  if (daemon === null)
    return stopWith(
      exitCodes.held,
      `${state} is held by ${holder}, which does not say which town it serves. Wait until it does, or name the ` +
        'state area of the daemon with --state.',
    )
  if (daemon.town === town) return right(null)
  const mend =
    daemon.town === ''
      ? `start it with kronika serve --town ${town}`
      : `rotate with --town ${daemon.town}, or start it with the other town`
  return stopWith(
    exitCodes.usage,
    `the daemon that serves this checkout has ${daemon.town === '' ? 'no town' : `the town ${daemon.town}`} and ` +
      `would sign with no key of ${town}: ${mend}.`,
  )
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

/** The signer for commits made now; null where the host has no town, or no key published for it. */
/** Signs commits with the key of this host that is published now; null where there is none. */
export const signerNow = ({ town, source, snapshot }: SignerSources, atMs: number): SignCommit | null => {
  const served = town === '' ? null : snapshot()
  if (served === null) return null
  const held = privateKeysAt(source)
  const signing = isLeft(held) ? null : findMintKey({ town, held: held.right }, served.fleetKeys, atMs)
  if (signing === null) return null
  const { published, key } = signing
  return commit => signatureTrailer(commit, published.kid, key)
}

const Variables = t.partial({ SVC_FLEET_KEY: t.string, SVC_FLEET_KEY_FILE: t.string })

/** The key of this host that signs now, with its published entry and the published epoch. */
interface SigningKey {
  readonly published: FleetKey
  readonly key: KeyObject
  readonly epoch: number
}

/** Finds the key that signs for the town of this host now; null where there is none. */
type FindSigningKey = (nowMs: number) => Promise<SigningKey | null>

/** Why none of this host's keys signs for its town. */
const explainUnsigned = (town: string, towns: ReadonlyArray<string>): string => {
  if (towns.length === 0)
    return 'its public half is not published; run `kronika keys rotate --repo DIR --town TOWN`'
  if (towns.includes(town))
    return (
      `its key published for ${town} has ended, or ends before a token would; ` +
      `run \`kronika keys rotate --repo DIR --town ${town}\``
    )
  const self = town === '' ? 'of no town' : town
  return (
    `its public half is published for ${towns.join(', ')}, and this host is ${self}: ` +
    'use the published --town with serve, or rotate for this one'
  )
}

/** Signs the claims as a token of this type. */
const signFleetToken = async (
  { published, key }: SigningKey,
  typ: typeof fleetType | typeof peerType,
  claims: { readonly exp: number },
): Promise<MintedFleet> => {
  const jws = await ed25519Signer(key)({ typ, kid: published.kid }, claims)
  return { token: `${fleetPrefix}${jws}`, expiresMs: claims.exp * 1000 }
}

/** The branch may move during a command: not every tool that moves it takes the lock. */
const attemptsMax = 8

const parseStored = (file: CommittedFile | null): Either<Stop, FleetKeysFile | null> =>
  file === null ? right(null) : parseStoredKeys(keysSource(file))

const stopOf = (failure: LandingFailure): Stop => {
  switch (failure._tag) {
    case 'Dirty': {
      const reason = `${fleetKeysPath} has uncommitted changes. Commit or stash them, then try again.`
      return { code: exitCodes.findings, reason }
    }
    case 'Locked':
      return {
        code: exitCodes.held,
        reason: `another program holds ${failure.lock}. Try again when its git has ended.`,
      }
    case 'Moved':
      return { code: exitCodes.held, reason: 'the branch moved during every attempt. Try again.' }
    case 'Detached':
      return { code: exitCodes.uncaught, reason: `nothing was committed: ${detachedWords}` }
    case 'Disk':
    case 'Blocked':
    case 'Unpublished':
    case 'Failed':
      return { code: exitCodes.uncaught, reason: `nothing was committed: ${failure.reason}` }
  }
}

const textOf = ({ keys, ...head }: FleetKeysFile): string => recordListText(head, 'keys', keys)

const draftOf = (subject: string, route: string): Omit<Draft, 'after'> => {
  const origin = { actor: { name: 'machine', gracz: null, kind: 'machine' }, route } as const
  const intent = randomUUID()
  return {
    intent,
    actor: origin.actor.name,
    route,
    author: authorOf(origin.actor),
    message: commitMessage(`identity: ${subject}`, intent, origin),
  }
}

const publishedOf = <P extends KeysPlan>(
  planned: Either<Stop, P> | null,
  committed: CommittedBeside | null,
): Either<Stop, KeysPublication<P>> => {
  if (planned === null) throw new Error('a commit is composed before it stands')
  if (isLeft(planned)) return planned
  return right({ plan: planned.right, ...(committed ?? { commit: null, behind: false }) })
}

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
