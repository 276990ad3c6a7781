import type { AskReaders, ReaderAnswer } from '#src/snapshot/readers/question.js'

/** Shares a running answer: callers that ask the same question of the same generation wait for one answer. */
export const shareAnswers = (ask: AskReaders): AskReaders => {
  const shared = new Map<string, Promise<ReaderAnswer>>()
  return question => {
    const key = `${question.generation} ${question.gzip ? 'gzip' : 'plain'}\n${question.key}`
    const known = shared.get(key)
    if (known !== undefined) return known
    const answer = ask(question)
    shared.set(key, answer)
    void answer.then(() => shared.delete(key))
    return answer
  }
}
