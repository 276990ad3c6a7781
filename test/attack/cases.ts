import { callerCase, type MakeWorld, type Tactic } from './caller-case.js'
import { manyBytes, manyCharacters, widerWrites } from './callers/bounds.js'
import { callerNamed, callers } from './callers/caller.js'
import { writeToClosedSessions } from './callers/closed-sessions.js'
import { crowds, dryRunDiff, oneHeaderOften, slowReaders } from './callers/dear-answers.js'
import { dispatchInteractions } from './callers/dispatches.js'
import { everyRow } from './callers/every-row.js'
import { forgeValidators } from './callers/forged-validators.js'
import { growingWorld, growth } from './callers/growth.js'
import { homonyms } from './callers/homonyms.js'
import { forgeTrailers, idleConnections, impersonateMachine, tokenNames, validators } from './callers/low.js'
import { patchOwnTags } from './callers/own-tags.js'
import { topicsOfPlayers } from './callers/topics.js'
import type { AttackCase } from './case.js'
import { crowdOfOnePlayer } from './fleet/crowd.js'
import { mergeCases } from './fleet/merge.js'
import { worldCase } from './world-case.js'
import { committedAddresses } from './worlds/addresses.js'
import { baseWorld } from './worlds/base.js'
import { frozenRights } from './worlds/frozen-rights.js'
import { allWorlds } from './worlds/hostile.js'

/** Which caller tries what. Every caller tries every row beside it. */
const tactics: ReadonlyArray<readonly [caller: string, name: string, tactic: Tactic, world?: MakeWorld]> = [
  ['gracz', 'homonyms', homonyms],
  ['gracz', 'own-tags', patchOwnTags],
  ['gracz', 'forged-validators', forgeValidators],
  ['gracz', 'many-characters', manyCharacters],
  ['gracz', 'many-bytes', manyBytes],
  ['gracz', 'crowds', crowds, baseWorld],
  ['gracz', 'growth', growth, growingWorld],
  ['gracz', 'topics', topicsOfPlayers],
  ['gracz', 'slow-readers', slowReaders],
  ['gracz machine', 'headed-machine', impersonateMachine],
  ['token of player.write.own', 'homonyms', homonyms],
  ['token of session.write', 'closed-sessions', writeToClosedSessions],
  ['narrator', 'closed-sessions', writeToClosedSessions],
  ['narrator', 'wider-writes', widerWrites],
  ['it', 'topics', topicsOfPlayers],
  ['token of session.write', 'topics', topicsOfPlayers],
  ['narrator', 'dry-run-diff', dryRunDiff],
  ['narrator', 'one-header-often', oneHeaderOften],
  ['token of chat.dispatch', 'dispatches', dispatchInteractions],
  ['token of session.report', 'validators', validators],
  ['mc', 'validators', validators],
  ['anonymous', 'validators', validators],
  ['anonymous', 'idle-connections', idleConnections],
  ['anonymous', 'token-names', tokenNames],
  ['narrator', 'forged-trailers', forgeTrailers],
]

/** Every case by its name. */
export const attackCases: ReadonlyArray<AttackCase> = [
  { ...frozenRights, first: true },
  { ...committedAddresses, first: true },
  { ...crowdOfOnePlayer, first: true },
  ...mergeCases.map(one => ({ ...one, first: true })),
  ...tactics.map(([caller, name, tactic, world]) => ({
    ...callerCase(callerNamed(caller), name, tactic, world),
    first: true,
  })),
  ...allWorlds.map(worldCase),
  ...callers.map(caller => callerCase(caller, 'every-row', everyRow)),
]
