import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import { type Actor, after, type Moment, ready, type Step, stay } from '#src/kernel/actor/actor.js'
import type { ObjectStore } from '#src/ports/git.js'

/**
 * The repository cleaner keeps the object store of the checkout small. After commits it weighs the loose objects and
 * packs them where they became many or large; at an interval it runs `git gc --auto`. It is an actor of its own, so
 * neither a write nor a converge waits for it. It owns nothing on disk; after a restart it weighs again.
 */

const LooseObjects = t.type({ objects: t.number, bytes: t.number })
export type LooseObjects = t.TypeOf<typeof LooseObjects>

/** The branch here has a new commit. */
const Wrote = t.type({ _tag: t.literal('Wrote'), commit: CommitId })
/** To self: commits were made a while ago. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: what is loose now. */
const Weighed = t.type({ _tag: t.literal('Weighed'), loose: LooseObjects })
/** To self: what is still loose after a packing, however it ended. */
const Packed = t.type({ _tag: t.literal('Packed'), loose: LooseObjects })
/** To self: the interval is over. */
const CleanUp = t.type({ _tag: t.literal('CleanUp') })

export const RepositoryCleanerMessage = t.union(
  [Wrote, Due, Weighed, Packed, CleanUp],
  'RepositoryCleanerMessage',
)
export type RepositoryCleanerMessage = t.TypeOf<typeof RepositoryCleanerMessage>

/** `left` is what the last packing left loose, such as objects that no ref reaches: the next one would leave it too. */
export interface CleanerState {
  readonly isDue: boolean
  readonly left: LooseObjects
}

export type CleanerEffect =
  | { readonly _tag: 'Weigh' }
  | { readonly _tag: 'Pack' }
  | { readonly _tag: 'CollectGarbage' }

/** Commits within this time are weighed together. */
export const weighAfterMs = 10_000
/** Loose objects beyond those that the last packing left, from which they are packed. */
export const looseMax: LooseObjects = { objects: 2_000, bytes: 16 * 1024 * 1024 }

/** An interval of 0 turns both off: packing after commits, and `git gc --auto`. */
export const repositoryCleaner = (
  intervalMs: number,
): Actor<CleanerState, Message, CleanerEffect, ObjectStore> => ({
  name: 'repository-cleaner',
  codec: RepositoryCleanerMessage,
  mailboxMax: 256,
  stuckMs: 4_000_000,
  initial: moment =>
    intervalMs === 0
      ? [{ isDue: false, left: nothing }, [ready]]
      : [{ isDue: true, left: nothing }, [ready, due, nextCleanUp(intervalMs, moment)]],
  receive: receive(intervalMs),
  perform,
})

type Message = RepositoryCleanerMessage
type Turn = Step<CleanerState, CleanerEffect, Message>

const nothing: LooseObjects = { objects: 0, bytes: 0 }

const isHeavy = (loose: LooseObjects, left: LooseObjects): boolean =>
  loose.objects - left.objects >= looseMax.objects || loose.bytes - left.bytes >= looseMax.bytes

/** Another program may have removed some of what was left. */
const atMost = (loose: LooseObjects, left: LooseObjects): LooseObjects => ({
  objects: Math.min(loose.objects, left.objects),
  bytes: Math.min(loose.bytes, left.bytes),
})

const due = after<Message>('due', weighAfterMs, { _tag: 'Due' })

/** The interval, give or take 20 %, so that hosts of one machine do not collect together. */
const nextCleanUp = (intervalMs: number, { chance }: Moment) =>
  after<Message>('clean', Math.round(intervalMs * (0.8 + 0.4 * chance)), { _tag: 'CleanUp' })

const receive =
  (intervalMs: number) =>
  (state: CleanerState, message: Message, moment: Moment): Turn => {
    switch (message._tag) {
      case 'Wrote':
        return intervalMs === 0 || state.isDue ? stay(state) : [{ ...state, isDue: true }, [due]]
      case 'Due':
        return [{ ...state, isDue: false }, [{ _tag: 'Weigh' }]]
      case 'Weighed': {
        const left = atMost(message.loose, state.left)
        return [{ ...state, left }, isHeavy(message.loose, left) ? [{ _tag: 'Pack' }] : []]
      }
      case 'Packed':
        return stay({ ...state, left: message.loose })
      case 'CleanUp':
        return [state, [{ _tag: 'CollectGarbage' }, nextCleanUp(intervalMs, moment)]]
      default:
        return absurd(message)
    }
  }

const perform =
  (store: ObjectStore) =>
  async (effect: CleanerEffect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Weigh': {
        const loose = await store.weigh(signal)
        return loose === null ? [] : [{ _tag: 'Weighed', loose }]
      }
      case 'Pack': {
        await store.pack(signal)
        const loose = await store.weigh(signal)
        return loose === null ? [] : [{ _tag: 'Packed', loose }]
      }
      case 'CollectGarbage':
        await store.collectGarbage(signal)
        return []
      default:
        return absurd(effect)
    }
  }
