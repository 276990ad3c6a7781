import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { NamedTokenList, NamedTokenMinted, NamedTokenRevoked } from '#protocol/identity/sign-in.js'
import type { Refusal } from '#protocol/refusal.js'
import { type AskDaemon, daemonClient } from '#src/adapters/outbound/daemon-client.js'
import { machineToken, readListening } from '#src/adapters/state/state-area.js'
import { recallState } from '#src/adapters/state/state-record.js'
import { type Output, quoteWord } from '#src/cli/output.js'
import type { CommandRefusal } from '#src/cli/print-answer.js'
import type { TokenAdmin, WithTokens } from '#src/cli/token.js'
import { machine } from '#src/domain/identity/credentials/tokens.js'
import {
  listNamedTokens,
  mintNamedToken,
  planNamedToken,
  revokeNamedToken,
} from '#src/http/credentials/authenticate.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { NamedTokenStore } from '#src/ports/identity.js'
import { hostNamedTokens } from '../identity/tokens.js'
import { holdCheckout, openSource, type Stop, stateTold, tellLost } from '../start/checkout.js'
import { askDecoded } from './ask-decoded.js'

/**
 * Opens the named tokens of a checkout. A daemon that holds it is asked over loopback, because it has the tokens in
 * memory; otherwise the runtime database is opened behind the same fence (ADR 1013).
 */
export const withTokens =
  (output: Output): WithTokens =>
  async ({ repo, state: given }, work) => {
    const state = given === undefined ? join(resolve(repo), '.svc/state') : resolve(given)
    const stopped = (reason: string): void => output.err(`kronika token: ${reason}`)
    const refusal = existsSync(state) ? null : await refuseWithoutArea(repo, state)
    if (refusal !== null) {
      stopped(refusal.reason)
      return refusal.code
    }
    const checkout = await holdCheckout(repo, given, 'token')
    const { standing } = recallState(resolve(repo), state)
    const elsewhere = standing._tag === 'Elsewhere' ? stateTold(resolve(repo), state, false) : null
    if (!isLeft(checkout)) {
      if (elsewhere !== null) stopped(elsewhere)
      tellLost('kronika token', output, checkout.right)
      try {
        return await work(storedTokens(checkout.right.runtime.namedTokens))
      } finally {
        await checkout.right.release()
      }
    }
    const { code, reason, holder } = checkout.left
    const daemon = holder === undefined ? null : readListening(state)
    if (daemon !== null) {
      if (elsewhere !== null) stopped(elsewhere)
      return work(tokensOfDaemon(daemonClient(daemon.url, machineToken(state))))
    }
    stopped(holder === undefined ? reason : refuseHeld(repo, state, holder))
    return code
  }

const orRefusal = <A>(answer: Either<Refusal, A>): Either<CommandRefusal, A> =>
  isLeft(answer) ? left({ error: answer.left._tag, detail: answer.left.detail }) : answer

/** The tokens while no daemon runs: the runtime database, opened by this process. */
const storedTokens = (store: NamedTokenStore): TokenAdmin => {
  const nowMs = realClock.nowMs()
  const tokens = hostNamedTokens(store, () => undefined, nowMs)
  return {
    mint: wish => {
      const wanted = planNamedToken(wish, { name: machine.kind, holds: machine.holds }, nowMs)
      return Promise.resolve(
        orRefusal<NamedTokenMinted>(isLeft(wanted) ? wanted : mintNamedToken(tokens, wanted.right, nowMs)),
      )
    },
    list: () => Promise.resolve(right(listNamedTokens(tokens, nowMs))),
    revoke: id =>
      Promise.resolve(orRefusal(revokeNamedToken(tokens, id, { name: machine.kind }, nowMs, false))),
  }
}

/** The tokens of a running daemon: its routes and their gate. */
const tokensOfDaemon = (ask: AskDaemon): TokenAdmin => {
  return {
    mint: wish => askDecoded(ask, NamedTokenMinted, 'POST', '/tokens', wish),
    list: () => askDecoded(ask, NamedTokenList, 'GET', '/tokens'),
    revoke: id => askDecoded(ask, NamedTokenRevoked, 'DELETE', `/tokens/${encodeURIComponent(id)}`),
  }
}

/**
 * Why tokens cannot be managed where the state area is missing: `serve` refuses the checkout too, or it was
 * never served with that area. Null where the area was lost: then the command opens an empty one and reports the
 * loss, like a start.
 */
const refuseWithoutArea = async (repo: string, state: string): Promise<Stop | null> => {
  const opened = await openSource(repo)
  if (isLeft(opened)) return opened.left
  const { path } = opened.right
  await opened.right.close()
  const { standing } = recallState(path, state)
  if (standing._tag === 'AreaLost') return null
  const todo =
    standing._tag === 'Elsewhere'
      ? `this checkout was served with ${standing.before}; give --state ${quoteWord(standing.before)}`
      : 'name the checkout with --repo, or start kronika serve once'
  return { code: exitCodes.usage, reason: `there is no state area at ${state}; ${todo}.` }
}

/**
 * Why the daemon that holds the checkout cannot be asked, and how it can: its state area is another one, or
 * gone, or does not say yet where it listens.
 */
const refuseHeld = (repo: string, state: string, holder: string): string => {
  const held = `${resolve(repo)} is held by ${holder}`
  const { standing } = recallState(resolve(repo), state)
  const area = standing._tag === 'Elsewhere' ? standing.before : state
  if (!existsSync(area))
    return `${held}, and the state area ${area} is gone. GET /sync of that host says what to do.`
  return standing._tag === 'Elsewhere'
    ? `${held}, and this checkout was last served with another state area. Give --state ${quoteWord(area)}.`
    : `${held}, and ${state} does not say where it listens. Try again when it serves or has ended.`
}
