import type { MessagePort } from 'node:worker_threads'
import { type OpenedIndex, openIndex } from '#src/adapters/search/open-index.js'
import type { AnswerOnLine, AskOnLine, FromRanker, ToRanker } from './messages.js'

/** Runs the thread that ranks a tier: loads its index, applies changes, answers the questions of every line. */
export const serveRanker = (parent: MessagePort, leave: () => void): void => {
  let opened: OpenedIndex | null = null
  let stamp = ''
  let isRetired = false
  const lines = new Set<MessagePort>()
  const say = (message: FromRanker): void => parent.postMessage(message)
  const indexNow = (): OpenedIndex['index'] => {
    if (opened === null) throw new Error('the thread of a tier was used before it had an index')
    return opened.index
  }
  const leaveIfDone = (): void => {
    if (isRetired && lines.size === 0) leave()
  }
  const load = (message: Extract<ToRanker, { readonly _tag: 'Load' }>): void => {
    const found = openIndex(message.folder, message.tier)
    if (found._tag !== 'Opened')
      return say({ _tag: 'Absent', reason: found._tag === 'None' ? null : found.reason })
    opened = found
    stamp = found.head.stamp
    const { engine, file } = found.head
    const documents = found.index.documents()
    say({ _tag: 'Loaded', engine, file, stamp, documents, versions: found.versions })
  }
  const connect = (line: MessagePort): void => {
    lines.add(line)
    line.on('message', ({ id, question }: AskOnLine) => {
      const answer: AnswerOnLine = { id, stamp, ...indexNow().rank(question) }
      line.postMessage(answer)
    })
    line.on('close', () => {
      lines.delete(line)
      leaveIfDone()
    })
  }
  parent.on('message', (message: ToRanker) => {
    switch (message._tag) {
      case 'Load':
        return load(message)
      case 'Change': {
        const index = indexNow()
        for (const source of message.dropped) index.drop(source)
        index.add(message.added)
        stamp = message.stamp
        return say({ _tag: 'Applied', stamp, documents: index.documents(), changes: index.changes() })
      }
      case 'Connect':
        return connect(message.port)
      case 'Retire':
        isRetired = true
        return leaveIfDone()
    }
  })
}
