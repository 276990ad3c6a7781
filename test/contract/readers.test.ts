import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { demoWorld } from '#src/demo/world.js'
import type { Inputs } from '#src/snapshot/build.js'
import { commitOf, contractInputs } from '#test/support/contract-world.js'
import { testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { comparableOf, countThreads, type Pair, pairOver } from '#test/support/readers/reader-pair.js'
import { readerRig } from '#test/support/readers/reader-rig.js'
import { readerThreads } from '#test/support/readers/reader-threads.js'
import { inputsOf } from '#test/support/world.js'
import { collectNeededPairs, goodPairs, requestTargetOf, type Subject } from './bench.js'
import { samples } from './samples.js'

/** Every pooled row with its sample. */
const subjects: ReadonlyArray<Subject> = Object.entries(routes).flatMap(([id, row]) => {
  const sample = samples[id]
  return row.pool && sample !== undefined ? [{ id, row, sample }] : []
})

/** No more than the caller of the tests has places for: the main thread answers further short reads. */
const atOnceMax = 4

describe('answers of a reader thread', () => {
  let pair: Pair | null = null
  afterEach(async () => {
    await pair?.close()
    pair = null
  })

  for (const threads of [1, 2])
    it(`are those of the main thread to the byte: every pooled row, threads: ${threads}`, async () => {
      const over = await pairOver(contractInputs(), threads)
      pair = over
      for (let from = 0; from < subjects.length; from += atOnceMax)
        await Promise.all(
          subjects.slice(from, from + atOnceMax).map(async subject => {
            const plain = await over.same(requestTargetOf(subject, collectNeededPairs(subject)))
            equal(plain.status, 200)
            await over.same(requestTargetOf(subject, goodPairs(subject)))
            ok(over.asked.has(`${subject.id} Answered`), `${subject.id} did not come to a thread`)
          }),
        )
      ok(![...over.asked].some(one => /Home|Threw|Poison|Overloaded/.test(one)), [...over.asked].join())
      equal((await over.same('/entities/Nikt')).status, 404)
      ok(over.asked.has('entities.get Refused'))
      equal(over.answers.length, threads)
      ok(!over.answers.includes(0), `answers of each thread: ${over.answers.join()}`)
    })

  it('are those of the main thread to the byte: lists and every tenth name of the demo world', async () => {
    const demo = demoWorld({ seed: 'próba' })
    const tree = (commits: typeof demo.commits) =>
      Object.fromEntries(commits.flatMap(commit => commit.changes.map(one => [one.path, one.text])))
    const over = await pairOver(inputsOf(tree(demo.commits), { works: tree(demo.works) }), 1)
    pair = over
    for (const { row } of subjects.filter(one => !one.row.path.includes('{'))) {
      await over.same(row.path)
      if ('limit' in row.query) await over.same(`${row.path}?limit=3&offset=2`)
    }
    const names = over.world.entities.all.filter((_, at) => at % 10 === 0).map(one => one.name)
    for (const { row } of subjects.filter(one => one.row.path.includes('{name}')))
      for (const name of names) await over.same(row.path.replace('{name}', encodeURIComponent(name)))
    const headers = over.world.sessions.all.filter((_, at) => at % 10 === 0).map(one => one.header)
    for (const header of headers) await over.same(`/sessions/${encodeURIComponent(header)}`)
    ok(![...over.asked].some(one => /Home|Threw|Poison|Overloaded/.test(one)), [...over.asked].join())
  })

  it('name the commit and carry the validator of the generation they were made of', async () => {
    const rig = readerRig({ open: readerThreads })
    const first = rig.publish(contractInputs())
    await rig.live(1)
    const newer = { ...contractInputs(), id: 'f'.repeat(40) }
    const front = await testFront({
      snapshot: first,
      // The keeper publishes while the question is on its way.
      readers: async question => {
        rig.publish(newer)
        await rig.exchange.ask({ ...question, generation: 2, shared: false })
        return rig.exchange.ask(question)
      },
    })
    const other = await testFront({ snapshot: { ...first, inputs: newer.id, generation: 2 } })
    try {
      const [moved, wanted] = [await front.client.ask('/entities'), await other.client.ask('/entities')]
      equal(moved.headers.etag, wanted.headers.etag)
      equal(moved.text, wanted.text)
    } finally {
      await Promise.all([front.close(), other.close()])
      await rig.close()
    }
  })

  it('are whole answers of one generation, no older than the request, while generations change', async () => {
    const { open, answers } = countThreads()
    const rig = readerRig({ open, threads: 2 })
    const worlds = (at: number): Inputs => ({
      ...inputsOf({
        '.svc/format.json': '{"format": 2}',
        'encje/byty.md': Array.from({ length: at }, (_, no) => `### Byt ${no} z ${at}\n- @typ: NPC\n`).join(
          '\n',
        ),
      }),
      commit: commitOf(String(at % 10).repeat(40)),
    })
    const front = await testFront({
      snapshot: rig.publish(worlds(1)),
      readers: rig.exchange.ask,
      memoBytesMax: 0,
    })
    const alone = await testFront({ snapshot: rig.snapshot(), memoBytesMax: 0 })
    try {
      await rig.live(2)
      const wanted = ['']
      const shown = (reply: Reply): string => JSON.stringify(comparableOf(reply))
      const asked: Array<Promise<readonly [at: number, answer: string]>> = []
      for (let at = 1; at <= 40; at += 1) {
        const world = at === 1 ? rig.snapshot() : rig.publish(worlds(at))
        alone.serve(world)
        front.serve(world)
        for (let one = 0; one < 3; one += 1)
          asked.push(front.client.ask('/entities').then(reply => [at, shown(reply)]))
        wanted.push(shown(await alone.client.ask('/entities')))
      }
      const ahead = (await Promise.all(asked)).map(([at, answer]) => wanted.indexOf(answer) - at)
      ok(!ahead.some(by => by < 0), `generations ahead of the request: ${ahead.join()}`)
      ok(!answers.includes(0), `answers of each thread: ${answers.join()}`)
    } finally {
      await Promise.all([front.close(), alone.close()])
      await rig.close()
    }
  })
})
