import { getOrElseW } from 'fp-ts/lib/Either.js'
import { Snowflake } from '#protocol/atoms.js'
import { listGuildRoles } from '#src/domain/chat/limits.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import type { ActorKey } from '#src/node/tree/actors.js'

const guildId = getOrElseW((): never => {
  throw new Error('no snowflake')
})(Snowflake.decode('1'))

/** A message of the actor's own vocabulary, which it takes at any time. */
export const ordinaryMessages: Readonly<Record<ActorKey, object>> = {
  journal: { _tag: 'Wake', urgent: true },
  streams: { _tag: 'Wake', urgent: true },
  keeper: { _tag: 'Tick' },
  readers: { _tag: 'Due', thread: 0 },
  search: { _tag: 'Changed', tier: 'lore' },
  gate: { _tag: 'Adopted', replyTo: null, outcome: { _tag: 'Left' } },
  jobs: { _tag: 'Sweep' },
  sync: { _tag: 'Tick' },
  cleaner: { _tag: 'Due' },
  logs: { _tag: 'Ended', flight: 'of nobody', taken: { _tag: 'Failed', reason: 'timeout', status: null } },
  failover: { _tag: 'Swept' },
  transcripts: { _tag: 'Changed' },
  mentions: { _tag: 'Wake' },
  models: { _tag: 'Wake' },
  keys: {
    _tag: 'Fetched',
    source: 'jwks',
    flight: 'of nobody',
    outcome: { _tag: 'Failed', why: 'status' },
  },
  roster: { _tag: 'Fetched', flight: 'of nobody', outcome: { _tag: 'Failed', why: 'status' } },
  chat: {
    _tag: 'Ask',
    call: listGuildRoles(guildId),
    budgetMs: 1_000,
    replyTo: replyToOf('of nobody', () => true),
  },
  dispatches: { _tag: 'Wake' },
  followUps: { _tag: 'Wake' },
  outbox: { _tag: 'Wake' },
  takeovers: { _tag: 'Wake' },
  monitor: { _tag: 'Fetched', outcome: { _tag: 'Failed', why: 'status' } },
  workloads: { _tag: 'Due', workload: 'map_checkup' },
  derived: { _tag: 'Wake' },
  front: { _tag: 'Listening' },
}
