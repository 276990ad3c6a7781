import { checkoutBlocked, headDetached, refuseAdoption, repositoryLocked } from '#actors/write-gate/adopt.js'
import { dirtyRefusal, notPublished } from '#actors/write-gate/refusals.js'
import type { Refusal, RefusalTag } from '#protocol/refusal.js'
import { routes } from '#protocol/routes.js'
import { answerBytesMax, refuseLargeAnswer } from '#src/http/answers/answer-bytes.js'
import { patience } from '#src/http/listener/server.js'
import { parserAnswer, refusalBody, refuseAnswerLate } from '#src/http/listener/write.js'
import { refuseWork } from '#src/http/routing/read-admission.js'
import { builtInHooks, findRejection } from '#src/writing/batch/hooks.js'
import { contractWorld, tower } from '#test/support/contract-world.js'
import { planFiles } from '#test/support/legacy/adoption.js'
import { sourceFile } from '#test/support/world.js'

const bodyOf = (refusal: Refusal): string => refusalBody(refusal).toString('utf8')

/** The body of an answer that the listener sends as text. */
const parserBodyOf = (tag: RefusalTag): string => parserAnswer(tag).split('\r\n\r\n').at(-1) ?? ''

/** Why a roster that is not UTF-8 cannot be adopted. */
const explainUndecodable = (): ReadonlyArray<string> => {
  const roster = { ...sourceFile('Gracze.md', '# Gracze\n'), undecodable: true }
  return planFiles(new Map([[roster.path, roster]])).refused
}

/** Rejects a session in a file that is too large to be read. */
const rejectUnreadFile = (): string => {
  const { path } = sourceFile('sesje/2025.md', '')
  const refusal = findRejection(
    builtInHooks,
    { ...contractWorld(), leftOut: new Set([path]) },
    {
      edits: [{ _tag: 'Whole', path, before: null, after: `### ${tower}\n` }],
      claims: [],
      touches: [],
      subject: 'sessions: create',
      answer: {},
      preview: {},
    },
  )
  if (refusal === null) throw new Error('no hook rejects the write')
  return bodyOf(refusal)
}

/**
 * The bodies of refusals that only git, a connection or a large world raises, each made by the function that
 * makes it in the product.
 */
export const faultRefusals = {
  HeadersTooLarge: () => parserBodyOf('HeadersTooLarge'),
  RequestTimeout: () => parserBodyOf('RequestTimeout'),
  AnswerLate: () => bodyOf(refuseAnswerLate(patience.withinMs)),
  AnswerTooLarge: () => bodyOf(refuseLargeAnswer(answerBytesMax)),
  TooMuchWork: () => bodyOf(refuseWork(routes['resolve.batch.list'])),
  NotPublished: () => bodyOf(notPublished('unreachable', 'The remote was not reached. Nothing was written.')),
  WorkTreeDirty: () => bodyOf(dirtyRefusal(['encje/indeks.md'])),
  HeadDetached: () => bodyOf(headDetached()),
  CheckoutBlocked: () =>
    bodyOf(checkoutBlocked('index_unreadable', "Git's index cannot be used: it is split")),
  RepositoryLocked: () => bodyOf(repositoryLocked('.git/index.lock')),
  WriteRejected: rejectUnreadFile,
  AdoptionFailed: () => bodyOf(refuseAdoption(explainUndecodable())),
} as const satisfies Readonly<Partial<Record<RefusalTag, () => string>>>
