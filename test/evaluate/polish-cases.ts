import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { figureAtLeast, figureAtMost, figureWithoutBar } from '#test/bench/figure.js'
import { type Evaluation, percentOf } from './evaluation.js'
import { type NameDaemon, withDaemonOver, worldOfHeadings } from './name-daemon.js'

const Cases = t.type({
  lemmas: t.array(t.type({ lemma: t.string })),
  cases: t.array(t.type({ surface: t.string, lemma: t.string })),
  homonyms: t.array(
    t.type({
      surface: t.string,
      candidates: t.array(t.string),
      expectedTop: t.union([t.string, t.null]),
    }),
  ),
  negatives: t.array(t.string),
})
export type PolishCases = t.TypeOf<typeof Cases>

export const polishCasesOf = (text: string): PolishCases => {
  const decoded = Cases.decode(JSON.parse(text))
  if (isLeft(decoded)) throw new Error('polish-cases.json has another shape')
  return decoded.right
}

const measureForms = async (
  daemon: NameDaemon,
  { cases, negatives }: PolishCases,
  noFuzzy: boolean,
): Promise<Evaluation> => {
  const title = noFuzzy ? 'cases, noFuzzy' : 'cases, with fuzzy'
  const results = await daemon.resolveAll(
    cases.map(({ surface }) => surface),
    { noFuzzy },
  )
  const wrong = cases.flatMap(({ surface, lemma }, at) => {
    const found = results[at]
    return found?.resolved === lemma
      ? []
      : [
          `${surface} is a form of ${lemma}, resolves to ${found?.resolved ?? 'none'} (${found?.stage ?? 'miss'})`,
        ]
  })
  const hits = (await daemon.resolveAll(negatives, { noFuzzy })).filter(({ stage }) => stage !== 'miss')
  const right = percentOf(cases.length - wrong.length, cases.length)
  return {
    title,
    figures: [
      figureAtLeast(`${title}: right`, '%', 98, right),
      figureAtMost(`${title}: negatives hit`, `of ${negatives.length}`, noFuzzy ? 0 : 4, hits.length),
    ],
    wrong: [
      ...wrong,
      ...hits.map(
        ({ token, resolved, stage }) =>
          `${token} is no name, resolves to ${resolved ?? 'several'} (${stage})`,
      ),
    ],
  }
}

/** Right: the expected name is the answer or the first candidate; without one, an answer that names only owners. */
const measureHomonyms = async (daemon: NameDaemon, { homonyms }: PolishCases): Promise<Evaluation> => {
  const wrong: Array<string> = []
  for (const { surface, candidates, expectedTop } of homonyms) {
    const found = await daemon.resolve(surface, { noFuzzy: true })
    const owners = found?.candidates.map(({ name }) => name) ?? []
    const top = found?.name ?? owners[0]
    const isRight =
      expectedTop === null
        ? top !== undefined && [...owners, top].every(name => candidates.includes(name))
        : top === expectedTop
    if (!isRight)
      wrong.push(`${surface}: ${top ?? 'none'} of ${candidates.join(', ')}; expected ${expectedTop ?? 'any'}`)
  }
  return {
    title: 'homonyms',
    figures: [figureWithoutBar('homonyms: right', `of ${homonyms.length}`, homonyms.length - wrong.length)],
    wrong,
  }
}

/** Resolves the cases and negatives over a world of the lemmas, and the homonyms over one of their candidates. */
export const evaluateCases = async (cases: PolishCases): Promise<ReadonlyArray<Evaluation>> => {
  const lemmas = [...new Set(cases.lemmas.map(({ lemma }) => lemma))]
  const forms = await withDaemonOver(worldOfHeadings(lemmas), async daemon => [
    await measureForms(daemon, cases, true),
    await measureForms(daemon, cases, false),
  ])
  const owners = [...new Set(cases.homonyms.flatMap(({ candidates }) => candidates))]
  const homonyms = await withDaemonOver(worldOfHeadings(owners), daemon => measureHomonyms(daemon, cases))
  return [...forms, homonyms]
}
