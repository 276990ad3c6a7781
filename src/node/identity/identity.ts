import { randomBytes } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { diskRefusal } from '#src/adapters/landing/disk.js'
import {
  claimHash,
  isClaimCode,
  nonceBytes,
  sealKey,
  unsealKey,
} from '#src/domain/identity/credentials/claim-code.js'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import type { IdentityDeps } from '#src/http/handlers/identity/identity.js'
import type { ApiKeyDesk, ClaimStore } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { chatOf, guildRolesOf } from '../chat/chat.js'
import type { Log } from '../records/records.js'
import type { NodeParts } from '../tree/node.js'
import { chatSignInOf, firstShowingIn, gameSignInOf, tellAttempt } from './sign-in.js'

/** What the front needs for sign-in, tokens and the chat. */
export const identityDeps = (parts: NodeParts): IdentityDeps => {
  const { config, metrics, tokens } = parts
  const { runtime } = parts.checkout
  const { chat, keys } = parts.tree.doors
  return {
    challenges: runtime.challenges,
    mintLogin: tokens.mintLogin,
    attempted: tellAttempt(metrics.meter, parts.refusals),
    gameSignIn: gameSignInOf(config, keys),
    chatSignIn: chatSignInOf(config, keys),
    isFirstShowing: firstShowingIn(runtime.shownIdTokens),
    namedTokens: tokens.named,
    apiKeys: apiKeyDesk(runtime.claims),
    chat: {
      guildId: config['integrations.chat.guild_id'],
      signInEnabled: config['integrations.chat.client_id'] !== '',
    },
    guildRoles: guildRolesOf(config, chatOf(config, parts.secrets, chat), parts.log),
  }
}

/** How long a key waits to be claimed (D39). */
export const claimTtlMs = 24 * 60 * 60 * 1000

/** The api keys of this host. Key and code are independent random values, and neither is stored (D39). */
export const apiKeyDesk = (claims: ClaimStore): ApiKeyDesk => ({
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
