import { randomBytes, randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Config } from '#protocol/host/config.js'
import { gitEffectLog } from '#src/adapters/history/effect-log.js'
import { readSecret, writeSecret } from '#src/adapters/state/private-file.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { type AnswerTarget, parseAnswerTarget } from '#src/domain/dispatch/answer-query.js'
import {
  type EffectIndex,
  findIndexed,
  indexEffects,
  indexedIdsMax,
} from '#src/domain/dispatch/settle-attempt.js'
import { nonceBytes, sealText, unsealText } from '#src/domain/identity/credentials/claim-code.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { EffectFinding, Enactor, FindEffect } from '#src/ports/chat.js'
import type { EffectLog } from '#src/ports/landing.js'
import type { Checkout } from '../start/checkout.js'
import { fetchThrough } from '../sync/sync.js'
import type { Doors } from '../tree/doors.js'
import { openWakeBell, queueClock, type WakeBell } from './chat.js'

/** Encrypts where answers go, so that no page and no WAL of the runtime database has a token in the clear (S34). */
export interface ReplySeal {
  /** Throws where the key file cannot be read or written. */
  readonly seal: (id: string, target: AnswerTarget) => string
  /** Null where the text was not sealed for this interaction by the key of this host. */
  readonly open: (id: string, sealed: string) => AnswerTarget | null
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

/** The parts of the dispatch queue that its row and its actors share. */
export interface NodeDispatch {
  /** The clock of the queue. */
  readonly nowMs: () => number
  readonly seal: ReplySeal
  /** Between the row, which wakes the queue, and the queue. */
  readonly bell: WakeBell
  /** Between the queue, which wakes the courier of answers, and the courier. */
  readonly answerBell: WakeBell
  /** Carries out closes and reports; null on a host that does not. */
  readonly enactor: Enactor | null
  /** Looks for the effect of a close or a report before each attempt. */
  readonly findEffect: FindEffect
}

/** Opens the parts of the dispatch queue; every enactor gets the look-up over the fetched branch. */
export const openDispatch = (
  { repo, state }: Pick<Checkout, 'repo' | 'state'>,
  config: Config,
  sync: Doors['sync'],
  enactor: Enactor | null,
): NodeDispatch => {
  const log = gitEffectLog(repo, gitFleetBranch(repo, config['server.sync_remote']))
  return {
    nowMs: queueClock(realClock),
    seal: openReplySeal(state),
    bell: openWakeBell(),
    answerBell: openWakeBell(),
    enactor,
    findEffect: makeFindEffect({ fetch: fetchThrough(sync), log }),
  }
}

export interface FindEffectPorts {
  /** Fetches the branch within `budgetMs`. Returns null, or why it may not be up to date. */
  readonly fetch: (budgetMs: number) => Promise<string | null>
  readonly log: EffectLog
}

/**
 * Makes the look-up of effects. It keeps one index, of the last tip: a look at a descendant of that tip reads
 * only the commits between the two, any other tip has its whole history read. A look for an id that the index
 * of `idsMax` ids left out reads the whole history.
 */
export const makeFindEffect = ({ fetch, log }: FindEffectPorts, idsMax = indexedIdsMax): FindEffect => {
  let last: EffectIndex | null = null

  const indexAt = async (tip: EffectIndex['tip'], signal: AbortSignal): Promise<EffectIndex> => {
    const base = last
    if (base?.tip === tip) return base
    const added = base === null ? null : await log.keyedCommits(tip, base.tip, signal)
    const index =
      added === null
        ? indexEffects(tip, null, (await log.keyedCommits(tip, null, signal)) ?? [], idsMax)
        : indexEffects(tip, base, added, idsMax)
    last = index
    return index
  }

  const findAt = async (tip: EffectIndex['tip'], id: string, signal: AbortSignal): Promise<EffectFinding> => {
    const indexed = findIndexed(await indexAt(tip, signal), id)
    const commit =
      indexed === 'LeftOut'
        ? ((await log.keyedCommits(tip, null, signal))?.find(({ keys }) => keys.includes(id))?.commit ?? null)
        : indexed
    return commit === null ? { _tag: 'Absent' } : { _tag: 'Found', commit }
  }

  return async (id, budgetMs, signal) => {
    try {
      const reason = await fetch(budgetMs)
      if (reason !== null) return { _tag: 'Unreadable', reason }
      const tip = await log.tip()
      if (tip._tag === 'NotFetched')
        return { _tag: 'Unreadable', reason: 'the branch of the remote was never fetched' }
      return tip.commit === null ? { _tag: 'Absent' } : await findAt(tip.commit, id, signal)
    } catch (error) {
      return { _tag: 'Unreadable', reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
