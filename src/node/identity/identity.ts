import { randomBytes } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type {
  BudgetAsked,
  RosterFetched,
  RosterKeeperMessage,
  RosterKeeperPorts,
  RosterOptions,
} from '#actors/roster-keeper.js'
import type { Config } from '#protocol/host/config.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { diskRefusal } from '#src/adapters/landing/disk.js'
import { fetchText } from '#src/adapters/outbound/fetch-text.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import {
  claimHash,
  isClaimCode,
  nonceBytes,
  sealKey,
  unsealKey,
} from '#src/domain/identity/credentials/claim-code.js'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { readRosterInSlices } from '#src/domain/people/players.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type {
  ApiKeys,
  AskRoster,
  ClaimStore,
  IdentityPorts,
  OnlineAnswer,
  OnlinePlayers,
} from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { chatOf, guildRolesOf } from '../chat/chat.js'
import type { Log } from '../records/records.js'
import type { HostNode } from '../tree/node.js'
import { chatSignInOf, firstShowingIn, gameSignInOf, tellAttempt } from './sign-in.js'

/** What the front needs for sign-in, tokens and the chat. */
export const identityPorts = (node: HostNode): IdentityPorts => {
  const { config, metrics, tokens } = node
  const { runtime } = node.checkout
  const { chat, keys } = node.refs
  return {
    challenges: runtime.challenges,
    mintLogin: tokens.mintLogin,
    attempted: tellAttempt(metrics.meter, node.refusals),
    gameSignIn: gameSignInOf(config, keys),
    chatSignIn: chatSignInOf(config, keys),
    isFirstShowing: firstShowingIn(runtime.shownIdTokens),
    namedTokens: tokens.named,
    apiKeys: openApiKeys(runtime.claims),
    chat: {
      guildId: config['integrations.chat.guild_id'],
      signInEnabled: config['integrations.chat.client_id'] !== '',
    },
    guildRoles: guildRolesOf(config, chatOf(config, node.secrets, chat), node.log),
  }
}

/** How long a key waits to be claimed (D39). */
export const claimTtlMs = 24 * 60 * 60 * 1000

/** The api keys of this host. Key and code are independent random values, and neither is stored (D39). */
export const openApiKeys = (claims: ClaimStore): ApiKeys => ({
  mint: (gameId, nowMs) => {
    const key = `apik_${randomBytes(secretBytes).toString('base64url')}`
    const code = randomBytes(secretBytes).toString('hex')
    const sealed = sealKey(key, code, gameId, randomBytes(nonceBytes))
    const expiresMs = nowMs + claimTtlMs
    const kept = fromDisk(() => claims.keep({ ...sealed, gameId, expiresMs }, nowMs))
    return isLeft(kept) ? kept : right({ hash: tokenHash(key).toString('hex'), code, expiresMs })
  },
  withdraw: code => {
    // A claim that cannot be deleted now is deleted when it expires, and its hash is committed nowhere.
    fromDisk(() => claims.drop(claimHash(code)))
  },
  claim: (code, nowMs) => {
    if (!isClaimCode(code)) return right(null)
    const taken = fromDisk(() => claims.take(claimHash(code), nowMs))
    if (isLeft(taken)) return taken
    if (taken.right === null) return right(null)
    const { sealed, gameId } = taken.right
    const key = unsealKey(sealed, code, gameId)
    return right(key === null ? null : { key, gameId })
  },
})

/**
 * Logs once that a committed identity file of the served snapshot is unreadable and gives no rights, and once
 * that it is repaired. People are signed out by it, and no other output of the host says so.
 */
export const rightsLog = (
  log: Pick<Log, 'info' | 'warn'>,
  snapshot: () => RightsFiles | null,
): ((outcome: LookOutcome) => void) => {
  let away: ReadonlyMap<string, string> = new Map()
  let seen = 0
  return outcome => {
    const served = snapshot()
    if (outcome._tag === 'LookFailed' || outcome.generation === seen || served === null) return
    seen = outcome.generation
    const now = new Map<string, string>(unreadable(served).map(({ file, kind }) => [file, kind]))
    for (const [file, kind] of now)
      if (!away.has(file))
        log.warn('committed_file_unreadable', { file, kind, mend: 'kronika doctor says what is wrong' })
    for (const file of away.keys()) if (!now.has(file)) log.info('committed_file_recovered', { file })
    away = now
  }
}

/** Finds players of the game by the roster keeper. */
export const onlinePlayers = ({ config, metrics, refs }: HostNode): OnlinePlayers => ({
  askRoster: config['integrations.game.roster_url'] === '' ? null : askThrough(refs.roster),
  resolved: result => metrics.meter.count('svc_players_resolves_total', { result }),
})

export const rosterOptions = (config: Config): RosterOptions => ({
  missTtlMs: config['integrations.game.resolve_miss_ttl_s'] * 1_000,
})

/** The ports of the roster keeper on this host. */
export const rosterKeeperPorts = ({ checkout, config, log, metrics }: HostNode): RosterKeeperPorts => ({
  takeFetch: person =>
    unlessRefused(() =>
      checkout.runtime.rosterFetches.take(
        config['integrations.game.resolve_fetches_per_hour'],
        realClock.nowMs(),
        person,
      ),
    ),
  giveBack: fetch => void unlessRefused(() => checkout.runtime.rosterFetches.giveBack(fetch)),
  fetchRoster: signal => fetchRoster(config['integrations.game.roster_url'], signal),
  fetched: told => {
    metrics.meter.count('svc_players_roster_fetches_total', { result: told.result })
    if (told.result === 'ok') log.info('roster_fetched', { rows: told.rows })
    else log.warn('roster_fetch_failed', { result: told.result })
  },
})

const secretBytes = 32

/** Returns the answer of the store, or the refusal of the disk; throws any other fault. */
const fromDisk = <A>(work: () => A): Either<RefusalOf<'DiskRefused'>, A> => {
  try {
    return right(work())
  } catch (error) {
    const reason = diskRefusal(error)
    if (reason === null) throw error
    return left(refuse('DiskRefused', `The disk refuses writes (${reason}). Fix the disk, then try again.`))
  }
}

type RightsFiles = Pick<Snapshot, 'roles' | 'grants' | 'bindings' | 'fleetKeys'>

const wholeFile: ReadonlySet<string> = new Set([
  'RolesUnreadable',
  'GrantsUnreadable',
  'BindingsUnreadable',
  'FleetKeysUnreadable',
])

const unreadable = ({ roles, grants, bindings, fleetKeys }: RightsFiles) =>
  [roles, grants, bindings, fleetKeys].flatMap(({ findings }) =>
    findings.filter(({ kind }) => wholeFile.has(kind)),
  )

/** Longer than a fetch may take. */
const askDeadlineMs = 8_000

/** Asks the roster keeper. A keeper that is down, full or abandoned counts as a roster that is away. */
const askThrough =
  (keeper: Ref<RosterKeeperMessage>): AskRoster =>
  async (sought, person) => {
    const answer = await ask<RosterKeeperMessage, OnlineAnswer>(
      keeper,
      replyTo => ({ _tag: 'Ask', sought, person, replyTo }),
      askDeadlineMs,
    )
    return isLeft(answer) ? { _tag: 'Away' } : answer.right
  }

/** A roster of 512 KiB lists some 8,000 players; parsing it takes some 5 ms. */
const limits = { timeoutMs: 5_000, bytesMax: 512 * 1024 }

const fetchRoster = async (url: string, signal: AbortSignal): Promise<RosterFetched['outcome']> => {
  const fetched = await fetchText(url, limits, signal)
  if (isLeft(fetched)) return { _tag: 'Failed', why: fetched.left }
  const players = await runDaemonWork(readRosterInSlices(fetched.right))
  return players === null ? { _tag: 'Failed', why: 'malformed' } : { _tag: 'Read', players }
}

/** Runs a change of the budget. Where the disk refuses it, returns the code of that. */
const unlessRefused = <A>(change: () => A): A | Extract<BudgetAsked['outcome'], { _tag: 'DiskRefused' }> => {
  try {
    return change()
  } catch (error) {
    const code = sqliteCode(error)
    if (code === null) throw error
    return { _tag: 'DiskRefused', code }
  }
}
