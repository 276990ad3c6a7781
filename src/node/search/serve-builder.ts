import type { MessagePort } from 'node:worker_threads'
import { type IndexBuild, startBuild } from '#src/adapters/search/build-index.js'
import type { FromBuilder, ToBuilder } from './tier-messages.js'

const refusedCodes =
  /^(?:E(?:NOSPC|DQUOT|ROFS|IO|ACCES|PERM|ISDIR|FBIG|MFILE)|SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN).*)$/u

const causeOf = (error: unknown): 'disk' | 'failed' =>
  error instanceof Error && 'code' in error && refusedCodes.test(String(error.code)) ? 'disk' : 'failed'

/** Runs a thread that builds one index. A disk that refuses is an answer, after which nothing is done. */
export const serveBuilder = (parent: MessagePort): void => {
  let build: IndexBuild | null = null
  let hasFailed = false
  const say = (message: FromBuilder): void => parent.postMessage(message)
  const step = (message: ToBuilder): void => {
    switch (message._tag) {
      case 'Build':
        build = startBuild(message.order)
        return
      case 'Add':
        return build?.add(message.documents)
      case 'Finish': {
        if (build === null) throw new Error('a build was finished that was not begun')
        const { documents, engine } = build.finish()
        return say({ _tag: 'Built', documents, engine })
      }
    }
  }
  parent.on('message', (message: ToBuilder) => {
    if (hasFailed) return
    try {
      step(message)
    } catch (error) {
      hasFailed = true
      say({
        _tag: 'Failed',
        cause: causeOf(error),
        reason: error instanceof Error ? error.message : String(error),
      })
    }
  })
}
