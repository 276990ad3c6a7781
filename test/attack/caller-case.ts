import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Chance } from '#src/demo/chance.js'
import { keepSessions, withRuntime } from '#test/support/built-host.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import type { Shot, ShotReply } from './ask.js'
import type { CallerKind } from './callers/caller.js'
import type { AttackCase } from './case.js'
import { gitAtLength } from './git.js'
import { startAttackSubject } from './subject.js'
import { openTrial, type Trial } from './trial.js'
import type { Lore } from './verdicts/lore.js'
import { projectionViolations } from './verdicts/projection.js'
import { commitsOf, violationsOfUnasked } from './verdicts/repository.js'
import { rightViolations } from './verdicts/rights.js'
import { endTrial, notStarted } from './world-case.js'
import { type AttackWorld, baseWorld, ownCharacter } from './worlds/base.js'

/** What a caller may use for an attack. */
export interface Attack {
  readonly caller: CallerKind
  readonly token: string | null
  /** The Postać that is the caller's; null where it has none. */
  readonly own: string | null
  readonly world: AttackWorld
  readonly chance: Chance
  readonly scale: number
  readonly trial: Trial
  readonly repository: Repository
  /** Sends a request as the caller. */
  readonly fire: (shot: Omit<Shot, 'token'>) => Promise<ShotReply | null>
}

export type Tactic = (attack: Attack) => Promise<void>

const Minted = t.type({ token: t.string })

/** The caller's bearer token: a login that the daemon finds when it starts, or a named token minted by the machine. */
const tokenOf = async (
  { gameId, name, capabilities }: CallerKind,
  sessions: ReadonlyMap<string, string>,
  trial: Trial,
): Promise<string | null> => {
  if (gameId !== null) return sessions.get(gameId) ?? null
  if (capabilities === null) return null
  const minted = await trial.fire({
    method: 'POST',
    path: '/tokens',
    body: { name, capabilities },
    token: trial.subject.token,
  })
  const decoded = Minted.decode(JSON.parse(minted?.text ?? 'null'))
  if (isLeft(decoded)) throw new Error(`no token for ${name}: ${minted?.text ?? ''}`)
  return decoded.right.token
}

/** The lore as it is committed: what changed since `base`, over the files of then. */
const loreAfter = (repository: Repository, base: string, before: Lore): Lore => {
  const after = new Map(before)
  const diff = ['diff', '--name-status', '-z', '--no-renames', base, 'HEAD']
  const changed = gitAtLength(repository.path, diff).split('\0')
  for (let at = 0; at + 1 < changed.length; at += 2) {
    const [state, path] = [changed[at] ?? '', changed[at + 1] ?? '']
    if (state === 'D') after.delete(path)
    else after.set(path, gitAtLength(repository.path, ['cat-file', 'blob', `HEAD:${path}`]))
  }
  return new Map([...after].map(([path, text]) => [path, text.trimEnd()]))
}

const today = (): string => new Date().toISOString().slice(0, 10)

const entitiesSeen = async (trial: Trial): Promise<string | null> => {
  const { token } = trial.subject
  return (await trial.fire({ method: 'GET', path: '/entities', token }))?.text ?? null
}

/** What the caller changed against the model of who may change what. */
const judgeRights = async (
  { caller, trial }: Attack,
  repository: Repository,
  base: { readonly commit: string; readonly files: Lore; readonly entities: string | null },
): Promise<void> => {
  const before = new Map([...base.files].map(([path, text]) => [path, text.trimEnd()]))
  const after = loreAfter(repository, base.commit, before)
  for (const one of rightViolations(caller.allowance, before, after, today()))
    trial.violate(`${caller.name} ${one}`)
  if (caller.allowance.blocks !== 'any' && trial.isAlive()) {
    const now = await entitiesSeen(trial)
    for (const one of projectionViolations(base.entities, now, caller.person))
      trial.violate(`${caller.name} changed what is served: ${one}`)
  }
  const made = commitsOf(repository.path, `${base.commit}..HEAD`)
  for (const one of violationsOfUnasked(made, trial.acked)) trial.violate(one)
}

/** The world that a caller attacks: a function of the seed and of the scale of the round. */
export type MakeWorld = (seed: string, scale: number) => AttackWorld

/** One caller with one tactic over a world; absent: the base world. */
export const callerCase = (
  caller: CallerKind,
  name: string,
  tactic: Tactic,
  makeWorld: MakeWorld = seed => baseWorld(seed),
): AttackCase => ({
  name: `caller/${caller.name}/${name}`,
  kind: 'caller',
  run: async ({ chance, seed, scale }) => {
    const world = makeWorld(seed, scale)
    const repository = repositoryOf(Object.fromEntries(world.files))
    try {
      const { gameId, person } = caller
      const sessions = await withRuntime(repository.path, runtime =>
        keepSessions(runtime, gameId === null ? [] : [gameId], Date.now()),
      )
      const started = await startAttackSubject(repository.path)
      if (started._tag === 'NotStarted') return notStarted(started.reason)
      const trial = await openTrial(started.subject, chance.fork('trial'))
      const token = await tokenOf(caller, sessions, trial)
      const canaries = world.canaries.filter(one => !(one.restricted && caller.restricted))
      const fire: Attack['fire'] = shot => trial.fire({ ...shot, token }, canaries)
      const own = person === null ? null : ownCharacter(person)
      const attack: Attack = {
        caller,
        token,
        own,
        world,
        chance: chance.fork(name),
        scale,
        trial,
        repository,
        fire,
      }
      const commit = repository.head()
      const base = { commit, files: world.files, entities: await entitiesSeen(trial) }
      await tactic(attack)
      await judgeRights(attack, repository, base)
      return await endTrial(trial, true)
    } finally {
      repository.dispose()
    }
  },
})
