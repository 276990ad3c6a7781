import type { Either } from 'fp-ts/lib/Either.js'
import type { CommitId, Snowflake } from '#protocol/atoms.js'
import type { DeliveryOperation, DeliveryStatus } from '#protocol/chat/delivery.js'
import type {
  DispatchAttempt,
  DispatchKind,
  DispatchOutcome,
  DispatchWanted,
} from '#protocol/chat/dispatch.js'
import type { ChatCall, ChatFailure, Heard, PlatformChannel } from '#protocol/chat/platform.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { DispatchRefusal, DispatchRules } from '#src/domain/dispatch/check-dispatch.js'
import type { WriteActor } from '#src/writing/command.js'
import type { AllDispatchCounts, ChannelName, DeliveryRecord } from './records.js'

export interface ChatMessage {
  readonly channelId: Snowflake
  readonly content: string
  /**
   * Up to 25 characters. The platform treats a second message with the same nonce within minutes as the same
   * message.
   */
  readonly nonce: string
}

/**
 * The chat platform, as this host calls it (A 4.4). Never rejects; every call is answered within its time
 * limit.
 */
export interface ChatPort {
  readonly guildRoles: (guildId: Snowflake) => Promise<Either<ChatFailure, ReadonlyArray<GuildRole>>>
  /** Channels and categories of the guild. */
  readonly guildChannels: (guildId: Snowflake) => Promise<Either<ChatFailure, ReadonlyArray<PlatformChannel>>>
  /** Sends a text that pings no member; returns the id of the message. */
  readonly createMessage: (message: ChatMessage) => Promise<Either<ChatFailure, Snowflake>>
}

/** Makes one attempt of a call, at most `timeoutMs` long. Never rejects. */
export type MakeCall = (call: ChatCall, timeoutMs: number, signal: AbortSignal) => Promise<Heard>

/**
 * Carries out closes and reports. The effect is one commit with the trailer `Svc-Interaction` of the id
 * (S23). `FindEffect` does not see a commit that this host has not published: the planner of the row then finds its
 * effect in the files, and plans none.
 */
export interface Enactor {
  readonly kinds: ReadonlySet<DispatchKind>
  /** Ends within `budgetMs`. Called only where `FindEffect` found no effect of the interaction. */
  readonly enact: (
    attempt: DispatchAttempt,
    budgetMs: number,
    signal: AbortSignal,
  ) => Promise<DispatchOutcome>
}

/** Whether the fetched branch has the effect of an interaction, and in which commit. */
export type EffectFinding =
  | { readonly _tag: 'Found'; readonly commit: CommitId }
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'Unreadable'; readonly reason: string }

/**
 * Fetches the branch within `budgetMs` and looks for the effect of an interaction: the pipeline, or the host
 * before a takeover, may have been first. Never rejects.
 */
export type FindEffect = (id: string, budgetMs: number, signal: AbortSignal) => Promise<EffectFinding>

/** A role of the guild. Names are not unique; ids are. */
export interface GuildRole {
  readonly id: string
  readonly name: string
}

/**
 * The roles could not be read: no token, no guild, no answer, or an invalid one. It says nothing about the
 * caller (A 4.4).
 */
export interface RolesUnreadable {
  readonly _tag: 'roles_unreadable'
  readonly detail: string
}

/**
 * Returns all roles of `integrations.chat.guild_id`. Passes the cached roles to `suffice`; where it returns
 * false, the roles are fetched once, so that an absent role is absent now. Where the fetch fails it returns
 * the failure, even if older roles are cached.
 */
export type GuildRoles = (
  suffice: (roles: ReadonlyArray<GuildRole>) => boolean,
) => Promise<Either<RolesUnreadable, ReadonlyArray<GuildRole>>>

/** A message with its channel; `entity` is null for a channel that was named. */
export interface AddressedMessage extends ChannelName {
  readonly entity: string | null
  readonly text: string
}

/** Sends messages of callers to the chat platform, and shows what was sent. */
export interface Deliveries {
  /** Why this host sends no messages, and what to do; null where it does. */
  readonly whyNot: () => string | null
  /** Puts a message into the outbox, and waits at most 10 s for its end. */
  readonly send: (
    message: AddressedMessage,
    actor: WriteActor,
  ) => Promise<
    Either<RefusalOf<'ChannelNotFound' | 'ChannelAmbiguous' | 'Overloaded' | 'DiskRefused'>, DeliveryStatus>
  >
  /** The newest messages first, of one operation or of all. */
  readonly list: (
    operation: DeliveryOperation | null,
    limit: number,
    nowMs: number,
  ) => ReadonlyArray<DeliveryRecord>
}

/** A dispatch at its receipt. */
export interface ReceivedDispatch {
  readonly wanted: DispatchWanted
  readonly nowMs: number
  readonly dryRun: boolean
  /** The arm that closes the write gate; null where it is open. Each call counts as a refusal where it is closed. */
  readonly findClosedArm: () => string | null
}

/** Receives the interactions that the worker of the chat forwards (A 4.9). */
export interface Interactions {
  readonly rules: DispatchRules
  /** Decides and, unless it is a dry run, records an accepted interaction before the promise resolves. */
  readonly receive: (
    received: ReceivedDispatch,
  ) => Promise<
    Either<
      DispatchRefusal | RefusalOf<'DiskRefused'>,
      { readonly kind: DispatchKind; readonly duplicate: boolean }
    >
  >
  readonly counts: () => AllDispatchCounts
}
