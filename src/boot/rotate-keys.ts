import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { decodedFile } from '#actors/corpus-keeper/source-file.js'
import { RepoPath } from '#protocol/atoms/path.js'
import { exitCodes } from '#protocol/exit-code.js'
import {
  type CommittedBeside,
  type CommittedFile,
  commitBeside,
  type FileCommit,
} from '#src/adapters/landing/commit-beside.js'
import { writeSecret } from '#src/adapters/private-file.js'
import { distrusted, excludeState } from '#src/adapters/state-area.js'
import type { RotatedKeys, RotateOptions } from '#src/cli/keys.js'
import { authorOf, commitMessage } from '#src/corpus/writing/commit-text.js'
import { type FleetKeysFile, fleetKeysOf, fleetKeysPath } from '#src/identity/tokens/fleet-keys.js'
import { type PrivateKey, pemOf, privateKeysOf } from '#src/identity/tokens/private-keys.js'
import { rotated } from '#src/identity/tokens/rotation.js'
import { realClock } from '#src/kernel/clock.js'
import { recordListText } from '#src/lore/record-list.js'
import type { Draft, LandingFailure } from '#src/ports/landing.js'
import { hasCommittedState, openSource, reasonOf, type Stop } from './checkout.js'
import { type FleetKeySource, fleetKeySource, privateKeysAt } from './fleet-key.js'

/** The branch may move under a rotation: not every tool that moves it takes the lock. */
const attemptsMax = 8

const origin = {
  actor: { name: 'machine', gracz: null, kind: 'machine' },
  route: 'kronika keys rotate',
} as const

const stop = (code: Stop['code'], reason: string): Either<Stop, never> => left({ code, reason })

const storedIn = (path: RepoPath, file: CommittedFile | null): Either<Stop, FleetKeysFile | null> => {
  if (file === null) return right(null)
  const { blob, bytes } = file
  const { stored } = fleetKeysOf(decodedFile({ path, blob, bytes: bytes.length }, bytes))
  return stored === null
    ? stop(exitCodes.findings, `${fleetKeysPath} cannot be read: mend it or restore an earlier version.`)
    : right(stored)
}

const madeKey = (): PrivateKey => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const [key] = privateKeysOf(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  if (key === undefined) throw new Error('a key that was just made cannot be read')
  return key
}

/** The key to publish: a new one, on disk before those that are published still, or that of the environment. */
const nextKey = (source: FleetKeySource, stored: FleetKeysFile | null): Either<Stop, PrivateKey> => {
  const held = privateKeysAt(source)
  if (isLeft(held)) return stop(exitCodes.usage, `${source.name}: ${held.left}.`)
  if (source._tag !== 'Own') {
    const [first] = held.right
    return first === undefined ? stop(exitCodes.usage, `${source.name} has no key.`) : right(first)
  }
  const made = madeKey()
  const older = held.right.filter(({ x }) => stored?.keys.some(key => key.jwk.x === x) === true)
  writeSecret(source.path, [made, ...older].map(pemOf).join(''))
  return right(made)
}

const stopOf = (failure: LandingFailure): Stop => {
  switch (failure._tag) {
    case 'Dirty': {
      const reason = `${fleetKeysPath} has changes that no commit has: commit or put them away, then rotate again.`
      return { code: exitCodes.findings, reason }
    }
    case 'Locked':
      return {
        code: exitCodes.held,
        reason: `somebody holds ${failure.lock}; rotate again when their git has ended.`,
      }
    case 'Moved':
      return { code: exitCodes.held, reason: 'the branch moved with every try; rotate again.' }
    case 'Disk':
    case 'Failed':
      return { code: exitCodes.uncaught, reason: `nothing was committed: ${failure.reason}` }
  }
}

const textOf = ({ keys, ...head }: FleetKeysFile): string => recordListText(head, 'keys', keys)

/** What is to be published, and the text of the file; the private half is on disk when it returns. */
interface Planned {
  readonly answer: Omit<RotatedKeys, 'commit' | 'behind'>
  readonly before: string | null
  readonly after: string
}

const planOver = (keySource: FleetKeySource, { town, raiseEpoch }: RotateOptions) => {
  let key: PrivateKey | null = null
  return (stored: FleetKeysFile | null, nowMs: number): Either<Stop, Planned> => {
    const next: Either<Stop, PrivateKey> = key === null ? nextKey(keySource, stored) : right(key)
    if (isLeft(next)) return next
    key = next.right
    const { file, kid } = rotated(stored, { town, x: key.x, raisesEpoch: raiseEpoch, nowMs })
    return right({
      answer: { kid, town, epoch: file.epoch, keys: file.keys, privateKey: keySource.name },
      before: stored === null ? null : textOf(stored),
      after: textOf(file),
    })
  }
}

const draftOf = ({ kid, epoch }: Planned['answer']): Omit<Draft, 'after'> => {
  const intent = randomUUID()
  return {
    intent,
    actor: origin.actor.name,
    route: origin.route,
    author: authorOf(origin.actor),
    message: commitMessage(`identity: the fleet key ${kid}, epoch ${epoch}`, intent, origin),
  }
}

const published = async (
  repo: string,
  keySource: FleetKeySource,
  options: RotateOptions,
): Promise<Either<Stop, RotatedKeys>> => {
  const path = RepoPath.decode(fleetKeysPath)
  if (isLeft(path)) throw new Error(`${fleetKeysPath} is no path`)
  const plan = planOver(keySource, options)
  for (let attempt = 1; ; attempt += 1) {
    const atMs = realClock.nowMs()
    let planned: Either<Stop, Planned> | null = null
    const compose: FileCommit['compose'] = file => {
      const stored = storedIn(path.right, file)
      planned = isLeft(stored) ? stored : plan(stored.right, atMs)
      if (isLeft(planned) || planned.right.before === planned.right.after) return null
      return { bytes: Buffer.from(planned.right.after, 'utf8'), draft: draftOf(planned.right.answer) }
    }
    const outcome = await commitBeside(repo, { path: path.right, compose, atMs })
    if (!isLeft(outcome)) return answerOf(planned, outcome.right)
    if (outcome.left._tag !== 'Moved' || attempt === attemptsMax) return left(stopOf(outcome.left))
  }
}

const answerOf = (
  planned: Either<Stop, Planned> | null,
  committed: CommittedBeside | null,
): Either<Stop, RotatedKeys> => {
  if (planned === null) throw new Error('a commit is composed before it stands')
  return map(({ answer }: Planned) => ({ ...answer, ...(committed ?? { commit: null, behind: false }) }))(
    planned,
  )
}

/**
 * Makes and publishes the next fleet key of a town (ADR 0177), whether a daemon serves the checkout or not: it holds no
 * fence, and commits as a person would.
 */
export const rotateKeys =
  (variables: NodeJS.ProcessEnv) =>
  async (options: RotateOptions): Promise<Either<Stop, RotatedKeys>> => {
    const opened = await openSource(options.repo)
    if (isLeft(opened)) return opened
    const source = opened.right
    try {
      const repo = source.path
      if (source.kind !== 'git')
        return stop(exitCodes.usage, `${repo} is no git checkout: keys are published by a commit.`)
      const state = options.state === undefined ? join(repo, '.svc/state') : resolve(options.state)
      const doubt = distrusted(repo, state, await hasCommittedState(repo))
      if (doubt !== null) return stop(exitCodes.usage, `${doubt}.`)
      excludeState(repo)
      mkdirSync(state, { recursive: true, mode: 0o700 })
      return await published(repo, fleetKeySource(variables, state), options)
    } catch (error) {
      return stop(exitCodes.uncaught, reasonOf(error))
    } finally {
      await source.close()
    }
  }
