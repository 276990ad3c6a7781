import type { MessagePort } from 'node:worker_threads'
import type { NameKey } from '#protocol/atoms.js'
import { type IndexBuild, startBuild } from '#src/adapters/search/build-index.js'
import { packDocument } from '#src/adapters/search/wink-file.js'
import { lemmasIn } from '#src/domain/search/query.js'
import { type DocumentBatch, nextDocuments } from '#src/domain/search/texts/documents.js'
import { planGroup } from '#src/domain/search/texts/groups.js'
import type { TextGroup } from '#src/domain/search/texts/lemma-sidecar.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { FromBuilder, ToBuilder } from './messages.js'

/** Runs a thread that builds one index. A disk that refuses is an answer, after which nothing is done. */
export const serveBuilder = (parent: MessagePort): void => {
  let build: IndexBuild | null = null
  let hasFailed = false
  const lemmas = new Map<NameKey, ReadonlyArray<string>>()
  const say = (message: FromBuilder): void => parent.postMessage(message)
  const cut = (group: TextGroup): void => {
    for (const planning of planGroup(group, lemmasIn(lemmas))) {
      const plan = atOnce(planning)
      for (let from: number | null = 0; from !== null; ) {
        const batch: DocumentBatch = atOnce(nextDocuments(plan, from))
        build?.add(batch.documents.map(packDocument))
        from = batch.next
      }
    }
  }
  const step = (message: ToBuilder): void => {
    switch (message._tag) {
      case 'Build':
        build = startBuild(message.order)
        return
      case 'Add':
        return build?.add(message.documents)
      case 'Lemmas':
        for (const [form, own] of message.lemmas) lemmas.set(form, own)
        return
      case 'Cut':
        cut(message.group)
        return say({ _tag: 'Taken' })
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

const refusedCodes =
  /^(?:E(?:NOSPC|DQUOT|ROFS|IO|ACCES|PERM|ISDIR|FBIG|MFILE)|SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN).*)$/u

const causeOf = (error: unknown): 'disk' | 'failed' =>
  error instanceof Error && 'code' in error && refusedCodes.test(String(error.code)) ? 'disk' : 'failed'
