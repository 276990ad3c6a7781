import { randomUUID } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import { detachedWords } from '#protocol/discovery.js'
import { exitCodes } from '#protocol/exit-code.js'
import {
  type CommittedBeside,
  type CommittedFile,
  commitBeside,
  type FileCommit,
} from '#src/adapters/landing/commit-beside.js'
import { type FleetKeysFile, fleetKeysPath } from '#src/domain/identity/fleet-keys.js'
import { recordListText } from '#src/domain/lore/changes.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Stop } from '#src/node/start/checkout.js'
import type { Draft, LandingFailure } from '#src/ports/landing.js'
import { authorOf, commitMessage } from '#src/writing/batch/plan-batch.js'
import { keysSource, parseStoredKeys } from './stored-keys.js'

/** The branch may move during a command: not every tool that moves it takes the lock. */
const attemptsMax = 8

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
