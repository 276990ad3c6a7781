import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import type { Inputs } from '#src/corpus/build.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { demoWorld } from '#src/demo/world.js'
import { contractInputs } from '#test/support/contract-world.js'
import { type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { type ReaderRig, readerRig } from '#test/support/reader-rig.js'
import { readerThreads } from '#test/support/reader-threads.js'
import { inputsOf } from '#test/support/world.js'
import { type AnySample, goodPairs, neededPairs, type Subject, targetOf } from './bench.js'
import { samples } from './samples.js'

const sampleOf: Readonly<Record<string, AnySample>> = samples

/** Every pooled row with its sample. */
const subjects: ReadonlyArray<Subject> = Object.entries(routes).flatMap(([id, row]) => {
  const sample = sampleOf[id]
  return row.pool && sample !== undefined ? [{ id, row, sample }] : []
})

/** All of an answer that a client can see, but for the id of the request and the date. */
const seen = (reply: Reply) => {
  const { 'x-request-id': _id, date: _date, ...headers } = reply.headers
  return { status: reply.status, headers, bytes: reply.bytes.toString('base64') }
}

/** Two fronts over one world: one answers pooled rows on a reader thread, the other itself. */
interface Pair {
  readonly same: (target: string) => Promise<Reply>
  /** `<row> <answer>` of each question that came to the thread. */
  readonly asked: ReadonlySet<string>
  readonly close: () => Promise<void>
}

const pairOver = async (inputs: Inputs): Promise<Pair & { readonly world: Snapshot }> => {
  const rig: ReaderRig = readerRig({ open: readerThreads })
  const world = rig.publish(inputs)
  await rig.live(1)
  const asked = new Set<string>()
  const alone: TestFront = await testFront({ snapshot: world })
  const helped: TestFront = await testFront({
    snapshot: world,
    readers: async question => {
      const answer = await rig.desk.ask(question)
      asked.add(`${question.rowId} ${answer._tag}`)
      return answer
    },
  })
  return {
    world,
    asked,
    same: async target => {
      const [one, other] = await Promise.all([helped.client.ask(target), alone.client.ask(target)])
      deepEqual(seen(one), seen(other), target)
      const etag = other.headers.etag
      const known = { headers: { 'if-none-match': etag ?? '' } }
      if (etag !== undefined) equal((await helped.client.ask(target, known)).status, 304)
      return one
    },
    close: async () => {
      await Promise.all([alone.close(), helped.close()])
      await rig.close()
    },
  }
}

describe('answers of a reader thread', function () {
  this.timeout(60_000)
  let pair: Pair | null = null
  afterEach(async () => {
    await pair?.close()
    pair = null
  })

  it('are those of the main thread to the byte: every pooled row over the contract world', async () => {
    const over = await pairOver(contractInputs())
    pair = over
    for (const subject of subjects) {
      const plain = await over.same(targetOf(subject, neededPairs(subject)))
      equal(plain.status, 200)
      await over.same(targetOf(subject, goodPairs(subject)))
      ok(over.asked.has(`${subject.id} Answered`), `${subject.id} did not come to the thread`)
    }
    ok(![...over.asked].some(one => /Home|Threw|Poison|Overloaded/.test(one)), [...over.asked].join())
    equal((await over.same('/entities/Nikt')).status, 404)
    ok(over.asked.has('entity Refused'))
  })

  it('are those of the main thread to the byte: lists and every tenth name of the demo world', async () => {
    const demo = demoWorld({ seed: 'próba' })
    const tree = (commits: typeof demo.commits) =>
      Object.fromEntries(commits.flatMap(commit => commit.changes.map(one => [one.path, one.text])))
    const over = await pairOver(inputsOf(tree(demo.commits), { works: tree(demo.works) }))
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
        await rig.desk.ask({ ...question, generation: 2, shared: false })
        return rig.desk.ask(question)
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
})
