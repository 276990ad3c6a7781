import { left, right } from 'fp-ts/lib/Either.js'
import { eventFeed } from '#actors/event-journal.js'
import { challengesMax } from '#protocol/identity/sign-in.js'
import { type RefusalTag, refuse } from '#protocol/refusal.js'
import type { FoundChannel } from '#src/domain/chat/attempts.js'
import { noBotToken } from '#src/domain/chat/failures.js'
import type { DispatchRefusal } from '#src/domain/dispatch/check-dispatch.js'
import type { TakeoverRefusal } from '#src/domain/fleet/takeover-refusals.js'
import { whySyncIsOff } from '#src/node/sync/sync.js'
import type { Challenges, OnlineAnswer } from '#src/ports/identity.js'
import { deliveriesFinding } from '#test/support/chat/deliveries.js'
import { acceptedInteractions } from '#test/support/chat/interactions.js'
import { sendsAtOnce } from '#test/support/chat/sent-messages.js'
import { freshMentions } from '#test/support/fleet/artifacts.js'
import { nodeView, nowMs, type TestHost } from '#test/support/front.js'
import { challengesInMemory } from '#test/support/identity/challenges.js'
import { gameKey, gameSignInWith } from '#test/support/identity/game-envelopes.js'
import { chatSignInWith } from '#test/support/identity/id-tokens.js'
import type { Provocation } from './provocation.js'

const provokeByNode = (row: Provocation['row'], node: () => Partial<TestHost>): Provocation => ({
  row,
  front: () => ({ node: node() }),
})

/** Challenges of which the network of the tests holds every one. */
const fillChallenges = (): Challenges => {
  const challenges = challengesInMemory()
  for (let at = 0; at < challengesMax; at += 1) challenges.mint('game', '127.0.0.1', nowMs)
  return challenges
}

const refuseTakeover = (refusal: TakeoverRefusal): Provocation =>
  provokeByNode('fleet.takeover.run', () => ({
    takeovers: {
      missingSetting: () => 'token',
      request: () => left(refusal),
      announce: () => true,
    },
  }))

const provokeDispatch = (refusal: DispatchRefusal): Provocation =>
  provokeByNode('chat.dispatch.add', () => ({
    interactions: { ...acceptedInteractions, receive: () => Promise.resolve(left(refusal)) },
  }))
/** A message to a channel that the guild does not have, or has several times. */
const provokeByChannel = (found: FoundChannel): Provocation =>
  provokeByNode('chat.send', () => ({ delivery: deliveriesFinding(found) }))

const syncIsOff = refuse('SyncDisabled', whySyncIsOff({ isGit: true, intervalMinutes: 15, remote: 'origin' }))

const { sync: neverSynced } = nodeView()

/** A host whose remote is away while one commit waits. */
const remoteAway = (): Partial<TestHost> => ({
  sync: () => ({
    ...neverSynced(),
    enabled: true,
    publishMode: 'push',
    remote: 'ssh://git.example/lore.git',
    unpublished: 1,
  }),
  converge: () =>
    Promise.resolve(
      right({ lastAction: 'unreachable', lastDetail: 'Could not resolve hostname git.example' }),
    ),
})

/** A question for a player who is not in the ledger; null: the host has no roster. */
const provokeByRoster = (answer: OnlineAnswer | null): Provocation => ({
  ...provokeByNode('players.resolve.get', () => ({
    players: {
      askRoster: answer === null ? null : () => Promise.resolve(answer),
      resolved: () => undefined,
    },
  })),
  query: [['nick', 'Nieznajomy']],
})

/** Refusals of a host that is configured otherwise, or some part of which is full, away or broken. */
export const nodeProvocations = {
  TooManyRequests: { row: 'auth.game.signIn', front: () => ({ signInLimit: () => 4000 }) },
  Overloaded: {
    row: 'people.list',
    front: () => ({ readers: () => Promise.resolve({ _tag: 'Overloaded' }) }),
  },
  Internal: provokeByNode('sync.get', () => ({
    bootId: '5f0c9a1e-0d6b-4c5e-9a43-2b1f6f3d7c10',
    sync: () => {
      throw new Error('a fault of the daemon')
    },
  })),
  DerivedNotFresh: provokeByNode('derived.get', () => ({
    derived: { ...freshMentions, archive: () => null },
  })),
  NoRepository: provokeByNode('audit.changes.list', () => ({ history: null })),
  SyncDisabled: provokeByNode('sync.run', () => ({ converge: () => Promise.resolve(left(syncIsOff)) })),
  ConvergeFailed: provokeByNode('sync.run', remoteAway),
  chat_disabled: provokeByNode('chat.send', () => ({
    delivery: { ...sendsAtOnce, whyNot: () => noBotToken.detail },
  })),
  ChannelNotFound: provokeByChannel({ _tag: 'Missing' }),
  ChannelAmbiguous: provokeByChannel({ _tag: 'Several', count: 2 }),
  actuation_unavailable: refuseTakeover({ _tag: 'actuation_unavailable' }),
  bad_request: refuseTakeover({ _tag: 'bad_request', fault: 'missing' }),
  takeover_cooldown: refuseTakeover({
    _tag: 'takeover_cooldown',
    cooldown: {
      mrIid: 7,
      mrUrl: 'https://forge.example/lore/kronika/-/merge_requests/7',
      endsAtMs: nowMs + 3_600_000,
    },
  }),
  target_ineligible: refuseTakeover({
    _tag: 'target_ineligible',
    target: 'Bracada',
    reasons: ['not_eligible', 'sync_stale'],
  }),
  no_candidate: refuseTakeover({
    _tag: 'no_candidate',
    rejections: [
      { town: 'Bracada', reasons: ['unreachable'] },
      { town: 'Erathia', reasons: ['is_apex'] },
    ],
  }),
  not_corroborated: refuseTakeover({ _tag: 'not_corroborated', apex: 'Erathia', misses: 1, needed: 3 }),
  not_dispatchable: provokeDispatch({ _tag: 'EnactorAbsent', kind: 'close' }),
  dispatch_stale: provokeDispatch({ _tag: 'Stale', kind: 'close', ageMs: 5_001 }),
  too_late_for_report: provokeDispatch({ _tag: 'Late', kind: 'report', ageMs: 3_001 }),
  daemon_write_gated: provokeDispatch({ _tag: 'Gated', kind: 'close', arm: 'ReadOnly' }),
  JournalDisabled: provokeByNode('events.journal.list', () => ({ events: eventFeed(null) })),
  challenge_flood: provokeByNode('auth.gameChallenge.issue', () => ({ challenges: fillChallenges() })),
  ChallengeUnknown: provokeByNode('auth.game.signIn', () => ({
    challenges: challengesInMemory(),
    gameSignIn: gameSignInWith({ requireChallenge: true }),
  })),
  game_auth_disabled: provokeByNode('auth.game.signIn', () => ({
    gameSignIn: { ...gameSignInWith(), rules: null },
  })),
  SigningKeyAway: provokeByNode('auth.game.signIn', () => ({
    gameSignIn: { ...gameSignInWith(), key: () => Promise.resolve(left('away')) },
  })),
  SigningKeyWeak: provokeByNode('auth.game.signIn', () => ({
    gameSignIn: { ...gameSignInWith(), key: () => Promise.resolve(right(gameKey(1024).publicKey)) },
  })),
  chat_auth_disabled: provokeByNode('auth.chat.signIn', () => ({
    chatSignIn: chatSignInWith({ rules: null }),
  })),
  registration_disabled: provokeByNode('workflows.registerByChat', () => ({
    chat: { guildId: '', signInEnabled: true },
  })),
  roles_unreadable: provokeByNode('workflows.assignByChat', () => ({
    guildRoles: () => Promise.resolve(left({ _tag: 'roles_unreadable', detail: 'no bot token' })),
  })),
  PlayerNotFound: provokeByRoster({ _tag: 'Absent', isRemembered: false }),
  resolve_fetch_budget_exhausted: provokeByRoster({ _tag: 'Exhausted', of: 'host', retryAfterMs: 1_260_000 }),
  roster_disabled: provokeByRoster(null),
  RosterUnavailable: provokeByRoster({ _tag: 'Away' }),
} as const satisfies Readonly<Partial<Record<RefusalTag, Provocation>>>
