import type { MessagePort } from 'node:worker_threads'
import type { Table } from '#protocol/route.js'
import { answerQuestion } from '#src/http/answers/reader-answer.js'
import type { AnyHandlers } from '#src/http/routing/handler.js'
import { bindHandlers } from '#src/http/routing/matcher.js'
import type { SearchPorts } from '#src/ports/host.js'
import { follow, freshFollower, takeFiles } from '#src/snapshot/readers/follower.js'
import type { FromThread } from '#src/snapshot/readers/thread-messages.js'
import { passagesInMemory } from '../search/texts.js'
import { tierAsker } from '../search/tier-asker.js'
import type { ToReader } from './readers.js'

/** Runs a reader thread: applies updates and answers questions, one message at a time. */
export const serveReader = (port: MessagePort, table: Table, handlers: AnyHandlers): void => {
  const served = new Map(bindHandlers(table, handlers).map(one => [one.id, one]))
  let follower = freshFollower
  const asker = tierAsker()
  /** A thread has nothing of the node but the lines to the search tiers, for the rows of search. */
  const search: SearchPorts = { asker, readPassage: passagesInMemory, record: null }
  const say = (message: FromThread): void =>
    port.postMessage(message, message._tag === 'Answered' ? [message.bytes] : [])
  port.on('message', (message: ToReader) => {
    switch (message._tag) {
      case 'Files':
        follower = takeFiles(follower, message.files)
        return
      case 'Follow':
        follower = follow(follower, message.delta)
        return say({ _tag: 'Followed', generation: message.delta.generation })
      case 'Ask':
        if (follower.snapshot === null) throw new Error('a reader was asked before it had a snapshot')
        void answerQuestion(served, follower.snapshot, message.id, message.question, { search }).then(say)
        return
      case 'Search':
        asker.notice(message)
    }
  })
  say({ _tag: 'Up' })
}
