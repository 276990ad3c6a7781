import type { SourceFile } from '#src/domain/lore/layout.js'
import type { OpenThread, ThreadEnd } from '#src/ports/host.js'
import type { Inputs } from '#src/snapshot/build.js'
import { deltaOf, findChangedFiles } from '#src/snapshot/readers/delta.js'
import type { Question, ReaderAnswer } from '#src/snapshot/readers/question.js'
import type { FromThread } from '#src/snapshot/readers/thread-messages.js'
import type { TierNotice } from '../search/threads/tier-messages.js'
import type { ToReader } from './reader-messages.js'

/** The events of the connection to one thread. */
export interface LineEvents {
  readonly up: () => void
  readonly followed: (generation: number, seconds: number) => void
  readonly answered: (id: number, answer: ReaderAnswer) => void
  readonly ended: (how: ThreadEnd, error: unknown) => void
  readonly monotonicMs: () => number
}

/** The connection to one thread. It remembers what it sent, so that it sends only changes. */
export interface ReaderLine {
  readonly follow: (target: { readonly generation: number; readonly inputs: Inputs } | null) => void
  /** Returns false when the question cannot be sent because a value in it cannot be cloned. */
  readonly ask: (id: number, question: Question) => boolean
  /** Tells the thread of a search tier. */
  readonly tellSearch: (notice: TierNotice) => void
  /** Ends the thread; its end is reported. */
  readonly end: () => void
  /** Ends the thread without reporting anything; resolves when it is gone. */
  readonly drop: () => Promise<void>
}

/** About how many characters are sent in one turn of the loop: about 100 microseconds. */
const charsPerTurn = 256 * 1024

const parts = (files: ReadonlyArray<SourceFile>): ReadonlyArray<ReadonlyArray<SourceFile>> => {
  const cut: Array<Array<SourceFile>> = []
  let chars = charsPerTurn
  for (const file of files) {
    if (chars >= charsPerTurn) {
      cut.push([])
      chars = 0
    }
    cut[cut.length - 1]?.push(file)
    chars += file.text.length
  }
  return cut
}

const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const answerOf = (message: Exclude<FromThread, { readonly _tag: 'Up' | 'Followed' }>): ReaderAnswer => {
  switch (message._tag) {
    case 'Answered': {
      const { status, packed, headers, isPassing, from } = message
      return { _tag: 'Answered', status, bytes: Buffer.from(message.bytes), packed, headers, isPassing, from }
    }
    case 'Home':
      return { _tag: 'Home' }
    case 'Refused':
      return { _tag: 'Refused', refusal: message.refusal }
    case 'Threw':
      return { _tag: 'Threw', message: message.message, stack: message.stack }
  }
}

export const readerLine = (open: OpenThread<ToReader, FromThread>, events: LineEvents): ReaderLine => {
  let has: Inputs | null = null
  let isOpen = true
  let followMs = 0
  let gone: () => void = () => undefined
  const isGone = new Promise<void>(resolve => {
    gone = resolve
  })
  const onMessage = (message: FromThread): void => {
    if (!isOpen) return
    if (message._tag === 'Up') events.up()
    else if (message._tag === 'Followed')
      events.followed(message.generation, (events.monotonicMs() - followMs) / 1000)
    else events.answered(message.id, answerOf(message))
  }
  const thread = open({
    said: onMessage,
    ended: (how, error) => {
      const told = isOpen
      isOpen = false
      gone()
      if (told) events.ended(how, error)
    },
  })
  /** Sends the changed files and the inputs. Posts to a thread that ended are lost; its end is reported. */
  const send = async (before: Inputs | null, after: Inputs, generation: number): Promise<void> => {
    for (const files of parts(findChangedFiles(before, after))) {
      thread.post({ _tag: 'Files', files })
      await oneTurn()
      if (!isOpen) return
    }
    thread.post({ _tag: 'Follow', delta: deltaOf(before, after, generation) })
  }
  return {
    follow: target => {
      if (target === null) return
      const before = has
      has = target.inputs
      followMs = events.monotonicMs()
      void send(before, target.inputs, target.generation).catch(() => thread.end())
    },
    ask: (id, question) => {
      try {
        thread.post({ _tag: 'Ask', id, question })
        return true
      } catch {
        // A value that cannot be cloned: the main thread answers.
        return false
      }
    },
    tellSearch: notice =>
      thread.post({ _tag: 'Search', ...notice }, notice.port === null ? [] : [notice.port]),
    end: () => thread.end(),
    drop: () => {
      isOpen = false
      thread.end()
      return isGone
    },
  }
}
