import { deepEqual, equal, throws } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { answerQuestion } from '#src/http/answers/reader-answer.js'
import { handlers } from '#src/http/handlers/all.js'
import { bindHandlers } from '#src/http/routing/matcher.js'
import { questionFor } from '#test/support/readers/reader-rig.js'
import { hostConfig, inputsOf } from '#test/support/world.js'
import { buildSnapshot, type Inputs } from '../build.js'
import type { Snapshot } from '../snapshot.js'
import { deltaOf, findChangedFiles } from './delta.js'
import { type Follower, follow, freshFollower, takeFiles } from './follower.js'

const paths = [
  'encje/a.md',
  'encje/b.md',
  'sesje/2026.md',
  'kontrybutorzy.md',
  '.svc/format.json',
  'c.md',
  'jezyk/odmiany.tsv',
] as const
const texts = (path: string): ReadonlyArray<string> => [
  `### Jeden ${path}\n- @typ: NPC\n`,
  `### Dwa\n- @typ: Lokacja\n- @ref: c.md\n`,
  `### 2026-05-10, Most, Brzoza\n\nProza.\n\n- @PU:\n    - Dwa: 1\n`,
  '## Gracz\n### Brzoza\n- @gameid: 1\n',
]

/** A world: which text lies at each path, none where there is no file; and the text of a ledger. */
const world = fc.record({
  files: fc.array(fc.option(fc.nat(3)), { minLength: paths.length, maxLength: paths.length }),
  ledger: fc.option(fc.nat(2)),
  language: fc.option(fc.nat(2)),
})
type World = {
  readonly files: ReadonlyArray<number | null>
  readonly ledger: number | null
  readonly language: number | null
}

const inputsAt = (given: World, before: Inputs | null): Inputs => {
  const files = Object.fromEntries(
    paths.flatMap((path, at) => {
      const text = texts(path)[given.files[at] ?? -1]
      return text === undefined ? [] : [[path, text]]
    }),
  )
  const works = given.ledger === null ? undefined : { 'governance/ledger/r.jsonl': `${given.ledger}\n` }
  const language =
    given.language === null
      ? undefined
      : { 'odmiany.tsv': `Dw${given.language}\tDwa\n`, 'tytuly.txt': 'Pan\n' }
  const options = {
    ...(works === undefined ? {} : { works }),
    ...(language === undefined ? {} : { language }),
  }
  return inputsOf(files, options, before)
}

const served = new Map(bindHandlers(routes, handlers).map(one => [one.id, one]))
const lists = Object.entries(routes).flatMap(([id, row]) => (row.pool && !row.path.includes('{') ? [id] : []))

/** What every list answers: snapshots of other histories have other insides, and must say the same. */
const readAnswers = async (snapshot: Snapshot): Promise<ReadonlyArray<string>> => {
  const answers = await Promise.all(
    lists.map((rowId, id) => answerQuestion(served, snapshot, id, questionFor(snapshot, rowId))),
  )
  return answers.map(answer =>
    answer._tag === 'Answered' ? Buffer.from(answer.bytes).toString('utf8') : answer._tag,
  )
}

const followDelta = (
  follower: Follower,
  before: Inputs | null,
  after: Inputs,
  generation: number,
): Follower =>
  follow(
    takeFiles(follower, structuredClone(findChangedFiles(before, after))),
    structuredClone(deltaOf(before, after, generation)),
  )

describe('the delta between two generations', () => {
  it('leaves a follower with the snapshot of the main thread, whatever it skipped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(world, fc.boolean()), { minLength: 1, maxLength: 8 }),
        async steps => {
          let [follower, has, newest]: [Follower, Inputs | null, Inputs | null] = [freshFollower, null, null]
          for (const [at, [given, skips]] of steps.entries()) {
            newest = inputsAt(given, newest)
            if (skips && at < steps.length - 1) continue
            follower = followDelta(follower, has, newest, at + 1)
            has = newest
          }
          if (newest === null || follower.snapshot === null) throw new Error('no step was taken')
          const { snapshot } = buildSnapshot(newest, null)
          equal(follower.snapshot.generation, steps.length)
          deepEqual(await readAnswers(follower.snapshot), await readAnswers(snapshot))
          deepEqual([...follower.snapshot.files.keys()], [...snapshot.files.keys()])
          deepEqual(follower.snapshot.language, snapshot.language)
        },
      ),
    )
  })

  it('tells one changed file and nothing else', () => {
    const all: World = { files: [0, 1, 2, 3, 0, 0, 0], ledger: 1, language: 1 }
    const before = inputsAt(all, null)
    const after = inputsAt({ ...all, files: [1, 1, 2, 3, 0, 0, 0] }, before)
    deepEqual(
      findChangedFiles(before, after).map(file => file.path),
      ['encje/a.md'],
    )
    deepEqual(deltaOf(before, after, 2).paths, null)
  })

  it('has the files of `corpora.lang` only if one of them changed, and keeps the objects of the others', () => {
    const all: World = { files: [0, 1, 2, 3, 0, 0, 0], ledger: 1, language: 1 }
    const before = inputsAt(all, null)
    equal(deltaOf(before, { ...before }, 2).language, null)
    const after = inputsAt({ ...all, language: 2 }, before)
    const first = followDelta(freshFollower, null, before, 1)
    const second = followDelta(first, before, after, 2)
    deepEqual(second.snapshot?.language.data.forms, buildSnapshot(after, null).snapshot.language.data.forms)
    equal(second.inputs?.language?.titles, first.inputs?.language?.titles)
    equal(second.build?.stages.languageTitles, first.build?.stages.languageTitles)
  })

  it('tells the configuration once, and a follower keeps it', () => {
    const all: World = { files: [0, 1, 2, 3, 0, 0, 0], ledger: 1, language: null }
    const config = hostConfig('{"server": {"time_zone": "Asia/Tokyo"}}')
    const before = { ...inputsAt(all, null), config }
    const after = { ...inputsAt({ ...all, files: [1, 1, 2, 3, 0, 0, 0] }, before), config }
    equal(deltaOf(before, after, 2).config, null)
    const follower = followDelta(followDelta(freshFollower, null, before, 1), before, after, 2)
    deepEqual(follower.snapshot?.config, config)
  })

  it('refuses to build on what it was not told', () => {
    const inputs = inputsAt({ files: [0, 1, 2, 3, 0, 0, 0], ledger: null, language: null }, null)
    throws(() => follow(freshFollower, deltaOf(null, inputs, 1)), /no file/)
    throws(() => follow(freshFollower, { ...deltaOf(null, inputs, 1), paths: [], works: null }), /works/)
    throws(
      () => follow(freshFollower, { ...deltaOf(null, inputs, 1), paths: [], language: null }),
      /language/,
    )
  })
})
