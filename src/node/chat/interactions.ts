import { randomBytes, randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Config } from '#protocol/host/config.js'
import { gitEffectLog } from '#src/adapters/history/effect-log.js'
import { readSecret, writeSecret } from '#src/adapters/state/private-file.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { type AnswerTarget, parseAnswerTarget } from '#src/domain/dispatch/answer-query.js'
import { nonceBytes, sealText, unsealText } from '#src/domain/identity/credentials/claim-code.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Enactor, FindEffect } from '#src/ports/chat.js'
import type { Checkout } from '../start/checkout.js'
import { fetchThrough } from '../sync/sync.js'
import type { ActorRefs } from '../tree/refs.js'
import { makeFindEffect, openWakeSignal, queueClock, type WakeSignal } from './chat.js'

/** Encrypts where answers go, so that no page and no WAL of the runtime database has a token in the clear (S34). */
export interface ReplySeal {
  /** Throws where the key file cannot be read or written. */
  readonly seal: (id: string, target: AnswerTarget) => string
  /** Null where the text was not sealed for this interaction by the key of this host. */
  readonly open: (id: string, sealed: string) => AnswerTarget | null
}

/** Opens the seal of a state area. The key file `dispatch.key` is read or, with mode 0600, created at first use. */
export const openReplySeal = (state: string): ReplySeal => {
  const path = join(state, 'dispatch.key')
  const nextNonce = openNonces()
  let key: Buffer | null = null
  const keyOf = (): Buffer => {
    key ??= readKey(path) ?? createKey(path)
    return key
  }
  return {
    seal: (id, target) => sealText(JSON.stringify(target), keyOf(), id, nextNonce()),
    open: (id, sealed) => {
      const text = unsealText(sealed, keyOf(), id)
      return text === null ? null : parseAnswerTarget(text)
    },
  }
}

/** What the row and the actors of the dispatch queue share. */
export interface NodeDispatch {
  /** The clock of the queue. */
  readonly nowMs: () => number
  readonly seal: ReplySeal
  /** Between the row, which wakes the queue, and the queue. */
  readonly wakeSignal: WakeSignal
  /** Between the queue, which wakes the courier of answers, and the courier. */
  readonly answerSignal: WakeSignal
  /** Carries out closes and reports; null on a host that does not. */
  readonly enactor: Enactor | null
  /** Looks for the effect of a close or a report before each attempt. */
  readonly findEffect: FindEffect
}

/** Opens the dispatch queue; every enactor gets the look-up over the fetched branch. */
export const openDispatch = (
  { repo, state }: Pick<Checkout, 'repo' | 'state'>,
  config: Config,
  sync: ActorRefs['sync'],
  enactor: Enactor | null,
): NodeDispatch => {
  const log = gitEffectLog(repo, gitFleetBranch(repo, config['server.sync_remote']))
  return {
    nowMs: queueClock(realClock),
    seal: openReplySeal(state),
    wakeSignal: openWakeSignal(),
    answerSignal: openWakeSignal(),
    enactor,
    findEffect: makeFindEffect({ fetch: fetchThrough(sync), log }),
  }
}

const keyBytes = 32

const readKey = (path: string): Buffer | null => {
  const text = readSecret(path, true)
  if (isLeft(text)) throw new Error(`${path}: ${text.left}`)
  const key = Buffer.from(text.right?.trim() ?? '', 'base64url')
  return key.length === keyBytes ? key : null
}

const createKey = (path: string): Buffer => {
  const key = randomBytes(keyBytes)
  writeSecret(path, `${key.toString('base64url')}\n`)
  return key
}

const noncesOfOneDraw = 256

/** Draws nonces, many at a time, because each draw asks the system. */
const openNonces = (): (() => Uint8Array) => {
  const drawn = Buffer.alloc(nonceBytes * noncesOfOneDraw)
  let usedBytes = drawn.length
  return () => {
    if (usedBytes === drawn.length) {
      randomFillSync(drawn)
      usedBytes = 0
    }
    usedBytes += nonceBytes
    return Uint8Array.from(drawn.subarray(usedBytes - nonceBytes, usedBytes))
  }
}
