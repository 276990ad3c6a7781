import type { ChatCourierMessage } from '#actors/chat/chat-courier.js'
import type { ChatSenderMessage } from '#actors/chat/chat-sender.js'
import type { DispatchQueueMessage } from '#actors/chat/dispatch-queue.js'
import type { FollowUpMessage } from '#actors/chat/follow-up-courier.js'
import type { CorpusKeeperMessage } from '#actors/corpus-keeper/corpus-keeper.js'
import type { ArtifactCopierMessage } from '#actors/fleet/artifact-copier.js'
import type { FailoverMessage } from '#actors/fleet/failover.js'
import type { TakeoverActuatorMessage } from '#actors/fleet/takeover-actuator.js'
import type { JobRunnerMessage } from '#actors/job-runner.js'
import type { KeyKeeperMessage } from '#actors/key-keeper.js'
import type { LogFetcherMessage } from '#actors/log-fetcher.js'
import type { MentionIndexMessage } from '#actors/mention-index.js'
import type { ModelKeeperMessage } from '#actors/model-keeper.js'
import type { ThreadReport } from '#actors/reader-pool/reader-pool.js'
import type { Wake } from '#actors/recorder.js'
import type { RepositorySyncMessage, WroteNote } from '#actors/repository-sync/state.js'
import type { RosterKeeperMessage } from '#actors/roster-keeper.js'
import type { SearchTierMessage } from '#actors/search-tier.js'
import type { TranscriptIndexMessage } from '#actors/transcript-index.js'
import type { GateRequest } from '#actors/write-gate/messages.js'
import type { Ref } from '#src/kernel/actor/ref.js'

/** The messages that others may send to each actor of the node, by the key of its row in `actors.ts`. */
export interface ActorMessages {
  readonly journal: Wake
  readonly streams: Wake
  readonly keeper: CorpusKeeperMessage
  readonly readers: ThreadReport
  readonly search: SearchTierMessage
  readonly gate: GateRequest
  readonly jobs: JobRunnerMessage
  readonly sync: RepositorySyncMessage
  readonly cleaner: WroteNote
  readonly transcripts: TranscriptIndexMessage
  readonly mentions: MentionIndexMessage
  readonly logs: LogFetcherMessage
  readonly models: ModelKeeperMessage
  readonly keys: KeyKeeperMessage
  readonly roster: RosterKeeperMessage
  readonly chat: ChatCourierMessage
  readonly dispatches: DispatchQueueMessage
  readonly followUps: FollowUpMessage
  readonly outbox: ChatSenderMessage
  readonly takeovers: TakeoverActuatorMessage
  readonly failover: FailoverMessage
  readonly derived: ArtifactCopierMessage
}

/** The refs of the actors that others send to. */
export type ActorRefs = { readonly [Key in keyof ActorMessages]: Ref<ActorMessages[Key]> }
