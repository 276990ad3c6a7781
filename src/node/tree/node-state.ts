import { randomUUID } from 'node:crypto'
import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/messages.js'
import type { AdoptOutcome } from '#actors/write-gate/adopt.js'
import type { Adopt, Reindex, ReindexOutcome, SetMode } from '#actors/write-gate/messages.js'
import type { SetModeOutcome } from '#actors/write-gate/mode.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { memoryGauge } from '#src/adapters/metrics/memory.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import type { ChatSettings } from '#src/domain/identity/links/self-report.js'
import type { GameSignIn } from '#src/http/credentials/game-sign-in.js'
import type { ChatSignIn } from '#src/http/credentials/id-token.js'
import type { JobsView, NodeView } from '#src/http/routing/node-view.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { type AskAdvice, explainUnanswered } from '#src/kernel/ask-trouble.js'
import type { History } from '#src/ports/git/history.js'
import type { ApiKeyDesk } from '#src/ports/identity/api-keys.js'
import type { Challenges } from '#src/ports/identity/challenges.js'
import type { GuildRoles } from '#src/ports/identity/guild-roles.js'
import type { IsFirstShowing } from '#src/ports/identity/shown-id-tokens.js'
import type { TellAttempt } from '#src/ports/identity/sign-in-attempts.js'
import type { EventFeed } from '#src/ports/records/events.js'
import type { ReadLogs } from '#src/ports/records/streams.js'
import type { BlockWatch } from '../gate/block-watch.js'
import type { HostTokens } from '../identity/host-tokens.js'
import type { Readers } from '../readers/readers.js'
import type { Environment } from '../start/environment.js'
import { convergeThrough, type HostSync } from '../sync/host-sync.js'

const adoptDeadlineMs = 280_000

const advice: AskAdvice = {
  mayHaveActed: 'it may have been carried out. Read GET /health and the log before you ask again.',
  didNothing: 'nothing was changed. Ask again after the seconds of Retry-After.',
}

/** What the gate answers, or that it is away. */
const gateAnswer = async <E, A>(
  gate: NodeFacts['gate'],
  asked: (replyTo: ReplyTo<Either<E, A>>) => Adopt | Reindex | SetMode,
): Promise<Either<E | RefusalOf<'Overloaded'>, A>> => {
  const answer = await ask(gate, asked, adoptDeadlineMs)
  if (isLeft(answer))
    return left(refuse('Overloaded', explainUnanswered('the write gate', answer.left, advice)))
  return answer.right
}

export interface NodeFacts {
  readonly version: string
  readonly build: string
  readonly town: string
  readonly environment: Environment
  readonly mode: () => Mode
  readonly modeReason: () => string | null
  readonly staleReason: () => string | null
  readonly blocks: Pick<BlockWatch, 'blockers' | 'isGone'>
  readonly shutdown: () => void
  readonly bootMs: number
  readonly requests: () => number
  readonly gate: Ref<Adopt | Reindex | SetMode>
  readonly sync: HostSync
  readonly syncDoor: Ref<RepositorySyncMessage>
  readonly events: EventFeed
  readonly logs: ReadLogs
  readonly jobs: JobsView
  readonly challenges: Challenges
  readonly apiKeys: ApiKeyDesk
  readonly gameSignIn: GameSignIn
  readonly history: History | null
  readonly isVerified: IsVerified
  readonly chatSignIn: ChatSignIn
  readonly isFirstShowing: IsFirstShowing
  readonly attempted: TellAttempt
  readonly chat: ChatSettings
  readonly guildRoles: GuildRoles
  readonly readers: Readers
  readonly tokens: HostTokens
}

/** What handlers may ask of this node. */
export const nodeViewOf = (facts: NodeFacts): NodeView => {
  const memory = memoryGauge()
  return {
    version: facts.version,
    build: facts.build,
    bootId: randomUUID(),
    bootMs: facts.bootMs,
    pid: process.pid,
    town: facts.town,
    mode: facts.mode,
    modeReason: facts.modeReason,
    staleReason: facts.staleReason,
    blockers: facts.blocks.blockers,
    isGone: facts.blocks.isGone,
    setMode: (mode, actor, admits) => {
      const asked = (replyTo: ReplyTo<SetModeOutcome>): SetMode => ({
        _tag: 'SetMode',
        mode,
        actor,
        admits,
        replyTo,
      })
      return gateAnswer(facts.gate, asked)
    },
    shutdown: facts.shutdown,
    requestCount: facts.requests,
    memory,
    contract: facts.environment.contract,
    imageDigest: facts.environment.imageDigest,
    sync: facts.sync.view,
    converge: convergeThrough(facts.syncDoor, facts.sync.whyOff),
    recordedLint: facts.sync.lint.get,
    events: facts.events,
    logs: facts.logs,
    readers: { threads: facts.readers.threads, live: facts.readers.desk.live },
    jobs: facts.jobs,
    challenges: facts.challenges,
    apiKeys: facts.apiKeys,
    gameSignIn: facts.gameSignIn,
    history: facts.history,
    isVerified: facts.isVerified,
    mintLogin: facts.tokens.mintLogin,
    namedTokens: facts.tokens.named,
    chatSignIn: facts.chatSignIn,
    isFirstShowing: facts.isFirstShowing,
    attempted: facts.attempted,
    chat: facts.chat,
    guildRoles: facts.guildRoles,
    adopt: (dryRun, origin, admits, progress = () => undefined) => {
      const asked = (replyTo: ReplyTo<AdoptOutcome>): Adopt => ({
        _tag: 'Adopt',
        dryRun,
        origin,
        admits,
        progress,
        replyTo,
      })
      return gateAnswer(facts.gate, asked)
    },
    reindex: (dryRun, origin, admits, progress = () => undefined) => {
      const asked = (replyTo: ReplyTo<ReindexOutcome>): Reindex => ({
        _tag: 'Reindex',
        dryRun,
        origin,
        admits,
        progress,
        replyTo,
      })
      return gateAnswer(facts.gate, asked)
    },
  }
}
